// Sends the ticket of a sign-in to the server, whose answer sets the cookie that this script cannot read; without one it
// asks the server to take the cookie of a sign-in back that has ended. A typed name, which opens nothing, it keeps itself.
const END = "";
const sent = new Set();

export default function (component) {
  const { ticket = END, header, path, kept, name } = component.data;
  if (kept) {
    document.cookie = `${kept}=${encodeURIComponent(name)}; path=${path}; max-age=31536000; samesite=strict`;
    return;
  }
  if (sent.has(ticket)) return;
  if (ticket !== END) sent.delete(END);
  sent.add(ticket);
  const request = ticket === END ? { method: "DELETE" } : { method: "POST", headers: { [header]: ticket } };
  fetch(path, { ...request, credentials: "same-origin", keepalive: true }).catch(() => sent.delete(ticket));
}
