// Sends the ticket of a sign-in to the server, whose answer sets the cookie that this script cannot read; without one it
// asks the server to take the cookie of a sign-in back that has ended.
const END = "";
const sent = new Set();

export default function (component) {
  const { ticket = END, header, path } = component.data;
  if (sent.has(ticket)) return;
  if (ticket !== END) sent.delete(END);
  sent.add(ticket);
  const request = ticket === END ? { method: "DELETE" } : { method: "POST", headers: { [header]: ticket } };
  fetch(path, { ...request, credentials: "same-origin", keepalive: true }).catch(() => sent.delete(ticket));
}
