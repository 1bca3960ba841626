package dev.keelson.pem;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Certificates in PEM. The JDK decodes what is in a block, since TLS takes the JDK's certificates
 * only.
 */
public final class PemCertificates {

  /** The type of a block with a certificate. */
  public static final String TYPE = "CERTIFICATE";

  private PemCertificates() {}

  /**
   * All certificates of a file, at least one.
   *
   * @throws PemException naming the file, if there is none or one cannot be read
   */
  public static List<X509Certificate> read(Path file) {
    return parse(file.toString(), PemFiles.read(file));
  }

  /**
   * All certificates of a text, at least one; blocks of other types are skipped.
   *
   * @param source where the text is from, for errors
   * @throws PemException if there is none or one cannot be read
   */
  public static List<X509Certificate> parse(String source, String text) {
    List<X509Certificate> found = new ArrayList<>();
    for (PemBlock block : PemBlocks.in(text)) {
      if (block.type().equals(TYPE)) {
        found.add(Decoding.decode(source, "a certificate", () -> decode(block.der())));
      }
    }
    if (found.isEmpty()) {
      throw new PemException(source + " holds no certificate in PEM");
    }
    return found;
  }

  /**
   * The certificate that {@code der} begins with.
   *
   * @throws CertificateException if it begins with none
   */
  public static X509Certificate decode(byte[] der) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }

  /** {@code certificates} in PEM, in their order. */
  public static String text(Collection<X509Certificate> certificates) {
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      try {
        text.append(new PemBlock(TYPE, certificate.getEncoded()).text());
      } catch (CertificateEncodingException e) {
        throw new IllegalStateException("a certificate that was read can be written", e);
      }
    }
    return text.toString();
  }
}
