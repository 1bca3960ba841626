package dev.keelson.authn.x509;

import dev.keelson.request.UserInfo;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Maps the subject of a certificate to a user: the CommonName is the name, the Organizations are
 * the groups.
 */
final class Subject {

  /** The extra key of the credential id. */
  private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

  private Subject() {}

  /** Returns the user; empty if the subject has no CommonName. */
  static Optional<UserInfo> user(X509Certificate certificate) throws GeneralSecurityException {
    List<String> names = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    try {
      // RDNs in the order of the certificate
      for (Rdn rdn : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        var parts = rdn.toAttributes().getAll();
        while (parts.hasMore()) {
          Attribute part = parts.next();
          if (part.getID().equalsIgnoreCase("CN")) {
            addTexts(part, names);
          } else if (part.getID().equalsIgnoreCase("O")) {
            addTexts(part, groups);
          }
        }
      }
    } catch (InvalidNameException e) {
      throw new GeneralSecurityException("malformed subject", e);
    } catch (NamingException e) {
      throw new GeneralSecurityException("malformed attribute in the subject", e);
    }
    if (names.isEmpty() || names.getLast().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new UserInfo(
            names.getLast(), "", groups, Map.of(CREDENTIAL_ID, List.of(fingerprint(certificate)))));
  }

  private static void addTexts(Attribute part, List<String> texts) throws NamingException {
    for (int i = 0; i < part.size(); i++) {
      if (part.get(i) instanceof String text) {
        texts.add(text);
      }
    }
  }

  private static String fingerprint(X509Certificate certificate) throws GeneralSecurityException {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
    return "X509SHA256=" + HexFormat.of().formatHex(hash);
  }
}
