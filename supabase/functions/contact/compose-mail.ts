export type ContactMessage = {
  id: string;
  name: string;
  email: string;
  subject: string;
  message: string;
  created_at: string;
};

export type ComposedMail = { subject: string; text: string; html: string };

/** The mail by which the operator reads a message. Everything in it may be a stranger's words: none of it is markup. */
export function composeMail({ name, email, subject, message, created_at }: ContactMessage): ComposedMail {
  const heading = `${name} <${email}> wrote through the contact form on ${created_at}:`;
  const note = "Your reply to this email goes to that address. Nobody has checked that it is theirs.";
  const paragraphs = [heading, subject, message, note];
  return {
    subject: `Contact: ${subject.replace(/\s+/g, " ")}`,
    text: paragraphs.join("\n\n"),
    html: paragraphs.map((text) => `<p style="white-space:pre-wrap">${escapeHtml(text)}</p>`).join(""),
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
