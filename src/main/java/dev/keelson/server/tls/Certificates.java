package dev.keelson.server.tls;

import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.pem.PemCertificates;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.server.pki.Identity;
import dev.keelson.server.pki.Kubeconfig;
import dev.keelson.server.pki.Pki;
import dev.keelson.server.pki.PkiException;
import dev.keelson.server.pki.SubjectNames;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;

/**
 * The certificates of a running server.
 *
 * @param serving the serving certificate and key
 * @param pki the server's own CA and the administrator's certificate
 */
public record Certificates(Identity serving, Pki pki) {

  /** Opens the configured serving certificate, or generates one. */
  public static Certificates open(ServingOptions options, Instant now) {
    KeyPairFiles given = options.given();
    if (given == null) {
      Pki pki = Pki.open(options.certDir(), Optional.of(names(options)), now);
      return new Certificates(pki.serving().orElseThrow(), pki);
    }
    Identity serving = read(given);
    if (!serving.matches()) {
      throw new StartupException(
          "--tls-private-key-file: %s does not match the certificate %s"
              .formatted(given.key(), given.certificate()),
          null);
    }
    return new Certificates(serving, Pki.open(options.certDir(), Optional.empty(), now));
  }

  private static Identity read(KeyPairFiles given) {
    try {
      return Identity.read(given.key(), given.certificate());
    } catch (PkiException e) {
      throw new StartupException("--tls-cert-file, --tls-private-key-file: " + e.getMessage(), e);
    }
  }

  /** Writes the administrator's kubeconfig. */
  public void writeKubeconfig(Path file, InetAddress address, int port) {
    Kubeconfig.write(file, address, port, trusted(), serving.certificate(), pki.admin());
  }

  /**
   * Returns a kubeconfig with a new certificate of a user.
   *
   * @param user the name, without spaces
   * @param groups the groups
   */
  public String kubeconfig(
      InetAddress address, int port, String user, List<String> groups, Instant now) {
    return Kubeconfig.text(
        address,
        port,
        trusted(),
        serving.certificate(),
        user.replace(':', '-'),
        pki.client(user, groups, now));
  }

  /** Returns the certificate that clients must trust, in PEM. */
  public String trustedPem() {
    return PemCertificates.text(List.of(trusted()));
  }

  /**
   * Returns the certificate that clients must trust: the server's own CA if it signed the serving
   * certificate, otherwise the last certificate of the configured chain, which is the closest to
   * its root.
   */
  private X509Certificate trusted() {
    X509Certificate last = serving.chain().getLast();
    X500Principal issuer = last.getIssuerX500Principal();
    X500Principal own = pki.authority().getSubjectX500Principal();
    // equals builds canonical texts first, which takes long in a JVM that has just started
    return Arrays.equals(issuer.getEncoded(), own.getEncoded()) || issuer.equals(own)
        ? pki.authority()
        : last;
  }

  private static SubjectNames names(ServingOptions options) {
    List<String> names = new ArrayList<>();
    names.addAll(
        List.of(
            "localhost",
            "127.0.0.1",
            "::1",
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local"));
    names.add(options.serviceRange().get(1).toString());
    if (!options.bindAddress().isAnyLocalAddress()) {
      names.add(options.bindAddress().getHostAddress());
    }
    InetAddress advertised = options.advertiseAddress();
    if (advertised != null) {
      names.add(advertised.getHostAddress());
    }
    hostName().ifPresent(names::add);
    names.addAll(options.extraNames());
    return SubjectNames.of(names);
  }

  private static Optional<String> hostName() {
    try {
      return Optional.of(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      // the host name may not resolve; the certificate then lacks it
      return Optional.empty();
    }
  }
}
