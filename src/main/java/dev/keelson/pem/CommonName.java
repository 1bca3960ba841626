package dev.keelson.pem;

import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/** The CommonName of subjects and issuers of certificates (RFC 5280, appendix A.1). */
public final class CommonName {

  private CommonName() {}

  /** The most specific CommonName of a distinguished name; empty if it has none. */
  public static String of(X500Principal principal) {
    try {
      // the last RDN of a certificate comes first in its text (RFC 2253), and last here
      for (Rdn rdn : new LdapName(principal.getName()).getRdns().reversed()) {
        Attribute name = rdn.toAttributes().get("CN");
        if (name != null && name.get() instanceof String text) {
          return text;
        }
      }
      return "";
    } catch (NamingException e) {
      // no name that a host could match; the certificate may be that of a hostile server
      return "";
    }
  }
}
