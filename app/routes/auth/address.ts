/** The e-mail address that is being typed, kept while the forms change. */
export type AddressProps = { email: string; onEmail: (email: string) => void };
