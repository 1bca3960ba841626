package dev.keelson.schema.validation;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The chain of certificates that a signer answers a request with. */
final class Certificates {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([^-\n]+)-----\\s+(.*?)-----END \\1-----", Pattern.DOTALL);

  private Certificates() {}

  /** What is wrong with {@code base64}, which holds PEM; empty if nothing is. */
  static String problem(String base64) {
    String pem;
    try {
      pem = new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException e) {
      // not even base64, so there is no block in it: the message says what is expected
      return "must contain at least one CERTIFICATE PEM block";
    }
    Matcher block = BLOCK.matcher(pem);
    boolean any = false;
    while (block.find()) {
      any = true;
      if (!block.group(1).equals("CERTIFICATE")) {
        return "only CERTIFICATE PEM blocks are allowed, found \"" + block.group(1) + "\"";
      }
      if (block.group(2).contains(":")) {
        return "no PEM block headers are permitted";
      }
      if (!isCertificate(block.group(2))) {
        return "found CERTIFICATE PEM block containing 0 certificates";
      }
    }
    return any ? "" : "must contain at least one CERTIFICATE PEM block";
  }

  private static boolean isCertificate(String body) {
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(body);
      CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes));
      return true;
    } catch (CertificateException | IllegalArgumentException e) {
      // the question is whether it is one, and it is not
      return false;
    }
  }
}
