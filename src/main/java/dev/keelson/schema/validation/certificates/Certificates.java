package dev.keelson.schema.validation.certificates;

import dev.keelson.pem.PemBlock;
import dev.keelson.pem.PemBlocks;
import dev.keelson.pem.PemCertificates;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.Base64;
import java.util.Optional;

/** The chain of certificates that a signer answers a request with. */
final class Certificates {
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
    PemBlocks blocks = new PemBlocks(pem);
    Optional<PemBlock> block = blocks.next();
    if (block.isEmpty()) {
      return "must contain at least one CERTIFICATE PEM block";
    }
    while (block.isPresent()) {
      String problem = problem(block.get());
      if (!problem.isEmpty()) {
        return problem;
      }
      block = blocks.next();
    }
    return "";
  }

  static String problem(PemBlock block) {
    if (!block.type().equals(PemCertificates.TYPE)) {
      return "only CERTIFICATE PEM blocks are allowed, found " + GoQuote.quote(block.type());
    }
    if (!block.headers().isEmpty()) {
      return "no PEM block headers are permitted";
    }
    return isCertificate(block.der())
        ? ""
        : "found CERTIFICATE PEM block containing 0 certificates";
  }

  private static boolean isCertificate(byte[] der) {
    try {
      PemCertificates.decode(der);
      return true;
    } catch (CertificateException e) {
      // the question is whether it is one, and it is not
      return false;
    }
  }
}
