package dev.keelson.server.pki;

import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The server's own authority and what it has signed: the certificate to serve with and the one for
 * the administrator. They live as PEM files in one directory, are made when absent, used again at
 * the next start, and made anew when they end soon or no longer fit.
 */
public final class Pki {

  /** The administrator: this group may do everything. */
  private static final String ADMIN_USER = "kubernetes-admin";

  private static final String ADMIN_GROUP = "system:masters";
  private static final String SERVER_NAME = "keelson";

  /** What has less time left than this is made anew. */
  private static final Duration MARGIN = Duration.ofDays(30);

  private final Identity authority;
  private final Identity admin;
  private final Optional<Identity> serving;

  private Pki(Identity authority, Identity admin, Optional<Identity> serving) {
    this.authority = authority;
    this.admin = admin;
    this.serving = serving;
  }

  /**
   * Opens the directory, and makes what is missing in it. Safe for several processes at a time.
   *
   * @param names what the serving certificate must stand for; empty if none is needed
   * @param now the time
   * @throws PkiException if a file cannot be used or written
   */
  public static Pki open(Path directory, Optional<SubjectNames> names, Instant now) {
    return PrivateFiles.locked(directory, () -> new Opening(directory, now).open(names));
  }

  /**
   * A serving certificate of an authority that exists only for it, in no file.
   *
   * @param now the time
   */
  public static Identity passing(SubjectNames names, Instant now) {
    Issuer issuer = new Issuer(now);
    return issuer.server(issuer.authority("keelson-ca"), SERVER_NAME, names);
  }

  /** The authority's certificate, which clients check the server against. */
  public X509Certificate authority() {
    return authority.certificate();
  }

  /** The authority's key and certificate. */
  public Identity issuer() {
    return authority;
  }

  /** The administrator's key and certificate. */
  public Identity admin() {
    return admin;
  }

  /**
   * A new certificate for a client, in no file; valid for a year.
   *
   * @param user the common name
   * @param groups the organizations
   */
  public Identity client(String user, List<String> groups, Instant now) {
    return new Issuer(now).client(authority, user, groups);
  }

  /** A new certificate for another server with these names, in no file; valid for a year. */
  public Identity server(String commonName, SubjectNames names, Instant now) {
    return new Issuer(now).server(authority, commonName, names);
  }

  /** What to serve with; empty if no names were asked for. */
  public Optional<Identity> serving() {
    return serving;
  }

  /** One pass over the directory, under its lock. */
  private static final class Opening {

    private final Path directory;
    private final Instant now;
    private final CheckedPairs checked;

    Opening(Path directory, Instant now) {
      this.directory = directory;
      this.now = now;
      checked = CheckedPairs.read(directory.resolve("checked"));
    }

    Pki open(Optional<SubjectNames> names) {
      Identity authority = authority();
      Identity admin =
          leaf(
              "admin",
              authority,
              _ -> true,
              () -> new Issuer(now).client(authority, ADMIN_USER, List.of(ADMIN_GROUP)));
      Optional<Identity> serving =
          names.map(
              wanted ->
                  leaf(
                      "apiserver",
                      authority,
                      certificate -> SubjectNames.in(certificate).contains(wanted),
                      () -> new Issuer(now).server(authority, SERVER_NAME, wanted)));
      checked.write();
      return new Pki(authority, admin, serving);
    }

    /**
     * The authority. It is never replaced while it can be used, since everyone who trusts it would
     * have to be told; a half of it is an error, since the other half may be kept elsewhere.
     */
    private Identity authority() {
      Path certificateFile = file("ca", ".crt");
      Path keyFile = file("ca", ".key");
      boolean hasCertificate = Files.exists(certificateFile);
      boolean hasKey = Files.exists(keyFile);
      if (hasCertificate != hasKey) {
        throw new PkiException(
            "%s is missing beside %s; put it back, or remove both to make a new authority"
                .formatted(hasKey ? certificateFile : keyFile, hasKey ? keyFile : certificateFile),
            null);
      }
      if (!hasCertificate) {
        return write("ca", new Issuer(now).authority("keelson-ca"));
      }
      Identity found = Identity.read(keyFile, certificateFile);
      if (found.certificate().getBasicConstraints() < 0) {
        throw new PkiException(certificateFile + " is not the certificate of an authority", null);
      }
      if (!checked.sound(found, found.certificate(), found::matches)) {
        throw new PkiException(keyFile + " is not the key of " + certificateFile, null);
      }
      if (endsBefore(found.certificate(), now)) {
        throw new PkiException(
            "%s has expired; remove it and %s to make a new authority"
                .formatted(certificateFile, keyFile),
            null);
      }
      return found;
    }

    private Identity leaf(
        String name, Identity authority, Predicate<X509Certificate> fits, Supplier<Identity> make) {
      Path certificateFile = file(name, ".crt");
      Path keyFile = file(name, ".key");
      if (Files.exists(certificateFile) && Files.exists(keyFile)) {
        Identity found = Identity.read(keyFile, certificateFile);
        X509Certificate certificate = found.certificate();
        requireOurs(certificateFile, certificate, authority.certificate());
        if (!endsSoon(certificate, authority.certificate())
            && fits.test(certificate)
            && checked.sound(
                found,
                authority.certificate(),
                () -> signedBy(authority, certificate) && found.matches())) {
          return found;
        }
      }
      return write(name, make.get());
    }

    /** What others put here is not overwritten. */
    private static void requireOurs(
        Path file, X509Certificate certificate, X509Certificate authority) {
      if (!certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal())) {
        throw new PkiException(
            "%s was issued by \"%s\" and not by this directory's authority; name it with"
                    .formatted(file, certificate.getIssuerX500Principal())
                + " --tls-cert-file, or remove it",
            null);
      }
    }

    /** Whether it has little time left, and a new one would have more. */
    @SuppressWarnings("JavaUtilDate") // the JDK's certificates have no other
    private boolean endsSoon(X509Certificate certificate, X509Certificate authority) {
      return endsBefore(certificate, now.plus(MARGIN))
          && certificate.getNotAfter().before(authority.getNotAfter());
    }

    private static boolean endsBefore(X509Certificate certificate, Instant time) {
      return certificate.getNotAfter().toInstant().isBefore(time);
    }

    private static boolean signedBy(Identity authority, X509Certificate certificate) {
      try {
        certificate.verify(authority.certificate().getPublicKey());
        return true;
      } catch (GeneralSecurityException e) {
        return false;
      }
    }

    /**
     * Writes the key, then the certificate: a process that dies between the two leaves a pair that
     * does not match, and that is made anew.
     */
    private Identity write(String name, Identity identity) {
      PrivateFiles.write(file(name, ".key"), PemPrivateKeys.text(identity.key()));
      PrivateFiles.write(file(name, ".crt"), PemCertificates.text(identity.chain()));
      return identity;
    }

    private Path file(String name, String ending) {
      return directory.resolve(name + ending);
    }
  }
}
