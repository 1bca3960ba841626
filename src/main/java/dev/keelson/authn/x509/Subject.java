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
import javax.security.auth.x500.X500Principal;

/**
 * Maps the subject of a certificate to a user: the CommonName is the name, the Organizations are
 * the groups, and Kubernetes' own attribute is the uid.
 */
final class Subject {

  /** The extra key of the credential id. */
  private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

  /** The type of the attribute with the uid, in Kubernetes' arc of private enterprises. */
  private static final String UID_TYPE = "1.3.6.1.4.1.57683.2";

  /** The name under which the attribute is asked for, so that it is read as a string. */
  private static final String UID = "KUBERNETESUID";

  private Subject() {}

  /** Returns the user; empty if the subject has no CommonName. */
  static Optional<UserInfo> user(X509Certificate certificate) throws GeneralSecurityException {
    List<String> names = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    List<String> uids = new ArrayList<>();
    String subject =
        certificate.getSubjectX500Principal().getName(X500Principal.RFC2253, Map.of(UID_TYPE, UID));
    try {
      // RDNs in the order of the certificate
      for (Rdn rdn : new LdapName(subject).getRdns()) {
        var parts = rdn.toAttributes().getAll();
        while (parts.hasMore()) {
          Attribute part = parts.next();
          if (part.getID().equalsIgnoreCase("CN")) {
            addTexts(part, names);
          } else if (part.getID().equalsIgnoreCase("O")) {
            addTexts(part, groups);
          } else if (part.getID().equalsIgnoreCase(UID)) {
            addUids(part, uids);
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
            names.getLast(),
            uid(uids),
            groups,
            Map.of(CREDENTIAL_ID, List.of(fingerprint(certificate)))));
  }

  private static void addUids(Attribute part, List<String> uids)
      throws NamingException, GeneralSecurityException {
    addTexts(part, uids);
    for (int i = 0; i < part.size(); i++) {
      if (!(part.get(i) instanceof String)) {
        throw new GeneralSecurityException("unable to parse UID into a string");
      }
    }
  }

  /** The uid, or empty if there is none (source: {@code parseUIDFromCert}). */
  private static String uid(List<String> uids) throws GeneralSecurityException {
    if (uids.size() > 1) {
      throw new GeneralSecurityException(
          "expected 1 UID, but found multiple: [" + String.join(" ", uids) + "]");
    }
    if (uids.isEmpty()) {
      return "";
    }
    if (uids.getFirst().isEmpty()) {
      throw new GeneralSecurityException("UID cannot be an empty string");
    }
    return uids.getFirst();
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
