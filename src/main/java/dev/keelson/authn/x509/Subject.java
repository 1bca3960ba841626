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

/** Reads a user from the subject of a certificate: CommonName and Organizations. */
final class Subject {

  /** The key under which Kubernetes names the credential that was used. */
  private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

  private Subject() {}

  /** The user, or empty if the subject has no CommonName. */
  static Optional<UserInfo> user(X509Certificate certificate) throws GeneralSecurityException {
    List<String> names = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    try {
      // the most significant part comes first, as in the certificate
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
      throw new GeneralSecurityException("its subject cannot be read", e);
    } catch (NamingException e) {
      throw new GeneralSecurityException("its subject has a broken attribute", e);
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
