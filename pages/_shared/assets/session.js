// Sends the ticket of a sign-in to the server, whose answer sets the cookie that this script cannot read.
const sent = new Set();

export default function (component) {
  const { ticket, header, path } = component.data;
  if (sent.has(ticket)) return;
  sent.add(ticket);
  fetch(path, { method: "POST", headers: { [header]: ticket }, credentials: "same-origin", keepalive: true }).catch(() =>
    sent.delete(ticket),
  );
}
