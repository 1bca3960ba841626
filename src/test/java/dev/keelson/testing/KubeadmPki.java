package dev.keelson.testing;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The directory {@code /etc/kubernetes/pki} as kubeadm fills it: RSA keys in PKCS#1, the
 * authorities of the cluster and of front proxies, and the certificates and keys of kube-apiserver.
 * Those of etcd are {@link TestCertificates}.
 */
public final class KubeadmPki {

  private static final AtomicLong SERIAL = new AtomicLong(1);

  private final Path directory;
  private final Authority cluster;

  private record Authority(X500Name name, KeyPair keys, X509Certificate certificate) {}

  private KubeadmPki(Path directory, String advertised) {
    this.directory = directory;
    cluster = authority("kubernetes", "ca");
    Authority proxies = authority("front-proxy-ca", "front-proxy-ca");
    GeneralNames served =
        new GeneralNames(
            new GeneralName[] {
              new GeneralName(GeneralName.dNSName, "kubernetes"),
              new GeneralName(GeneralName.dNSName, "kubernetes.default"),
              new GeneralName(GeneralName.dNSName, "kubernetes.default.svc"),
              new GeneralName(GeneralName.dNSName, "kubernetes.default.svc.cluster.local"),
              new GeneralName(GeneralName.iPAddress, "10.96.0.1"),
              new GeneralName(GeneralName.iPAddress, advertised)
            });
    issue(cluster, "CN=kube-apiserver", served, "apiserver");
    issue(
        cluster,
        "O=kubeadm:cluster-admins,CN=kube-apiserver-kubelet-client",
        null,
        "apiserver-kubelet-client");
    issue(proxies, "CN=front-proxy-client", null, "front-proxy-client");
    KeyPair accounts = keys();
    write("sa.key", pem(accounts.getPrivate()));
    write("sa.pub", pem(accounts.getPublic()));
  }

  /**
   * Fills an existing directory.
   *
   * @param advertised the IP address of the control plane
   */
  public static KubeadmPki in(Path directory, String advertised) {
    return new KubeadmPki(directory, advertised);
  }

  /** Copies the authority and a client certificate of etcd to where kubeadm has them. */
  public void etcd(TestCertificates certificates) {
    TestCertificates.Pair client =
        certificates.issue("kube-apiserver-etcd-client", TestCertificates.KeyForm.PKCS1_RSA);
    try {
      Files.createDirectories(directory.resolve("etcd"));
      Files.copy(certificates.authority(), directory.resolve("etcd/ca.crt"));
      Files.copy(client.certificate(), directory.resolve("apiserver-etcd-client.crt"));
      Files.copy(client.key(), directory.resolve("apiserver-etcd-client.key"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes a kubeconfig such as {@code /etc/kubernetes/admin.conf}.
   *
   * @param group the organization of the client certificate
   */
  public Path kubeconfig(String user, String group, String server) {
    issue(cluster, "O=" + group + ",CN=" + user, null, user);
    return write(
        user + ".conf",
        """
        apiVersion: v1
        kind: Config
        clusters:
        - cluster:
            certificate-authority-data: %s
            server: %s
          name: kubernetes
        contexts:
        - context:
            cluster: kubernetes
            user: %s
          name: %s@kubernetes
        current-context: %s@kubernetes
        users:
        - name: %s
          user:
            client-certificate-data: %s
            client-key-data: %s
        """
            .formatted(
                base64("ca.crt"),
                server,
                user,
                user,
                user,
                user,
                base64(user + ".crt"),
                base64(user + ".key")));
  }

  /** The certificate of the cluster's authority. */
  public X509Certificate authority() {
    return cluster.certificate;
  }

  private Authority authority(String name, String file) {
    KeyPair keys = keys();
    X500Name subject = new X500Name("CN=" + name);
    X509Certificate certificate = certificate(subject, keys, subject, keys, null, true);
    write(file + ".crt", pem(certificate));
    write(file + ".key", pem(keys.getPrivate()));
    return new Authority(subject, keys, certificate);
  }

  private void issue(
      Authority authority, String subject, @Nullable GeneralNames names, String file) {
    KeyPair keys = keys();
    write(
        file + ".crt",
        pem(
            certificate(
                authority.name, authority.keys, new X500Name(subject), keys, names, false)));
    write(file + ".key", pem(keys.getPrivate()));
  }

  private static X509Certificate certificate(
      X500Name issuer,
      KeyPair signer,
      X500Name subject,
      KeyPair keys,
      @Nullable GeneralNames names,
      boolean authority) {
    Instant now = Instant.now();
    try {
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              BigInteger.valueOf(SERIAL.incrementAndGet()),
              Date.from(now.minus(Duration.ofHours(1))),
              Date.from(now.plus(Duration.ofDays(1))),
              subject,
              keys.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
      builder.addExtension(
          Extension.keyUsage,
          true,
          new KeyUsage(
              authority
                  ? KeyUsage.digitalSignature | KeyUsage.keyEncipherment | KeyUsage.keyCertSign
                  : KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
      if (!authority) {
        builder.addExtension(
            Extension.extendedKeyUsage,
            false,
            new ExtendedKeyUsage(
                names == null ? KeyPurposeId.id_kp_clientAuth : KeyPurposeId.id_kp_serverAuth));
      }
      if (names != null) {
        builder.addExtension(Extension.subjectAlternativeName, false, names);
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder("SHA256withRSA").build(signer.getPrivate())));
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(Object object) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private String base64(String file) {
    try {
      return Base64.getEncoder().encodeToString(Files.readAllBytes(directory.resolve(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path write(String file, String text) {
    try {
      return Files.writeString(directory.resolve(file), text, StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
