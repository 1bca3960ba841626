package dev.keelson.webhook;

import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/**
 * What was usual in certificates once and is refused today. Told apart from other failures, so that
 * owners of old servers can be found (source: apiserver, util/x509metrics).
 */
public enum CertificateFlaw {
  /** The host is in the common name alone. */
  MISSING_SAN(
      "missing-san",
      "relies on a legacy Common Name field instead of the SAN extension for subject validation"),

  /** A signature is made with SHA-1. */
  INSECURE_SHA1("insecure-sha1", "uses an insecure SHA-1 signature");

  private final String id;
  private final String reason;

  CertificateFlaw(String id, String reason) {
    this.id = id;
    this.reason = reason;
  }

  /** The key of the audit annotation of a request that needed {@code host}. */
  public String annotation(String host) {
    return id + ".invalid-cert.kubernetes.io/" + host;
  }

  /** The value of the audit annotation. */
  public String reason() {
    return reason;
  }

  /** A certificate with a flaw; the message is that of Go's {@code crypto/x509}. */
  static final class Refused extends CertificateException {
    private static final long serialVersionUID = 1L;

    private final CertificateFlaw flaw;

    Refused(CertificateFlaw flaw, String message) {
      super(message);
      this.flaw = flaw;
    }

    CertificateFlaw flaw() {
      return flaw;
    }
  }

  /** The flaw that a failure is due to; null if it has another reason. */
  static @Nullable CertificateFlaw of(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof Refused refused) {
        return refused.flaw;
      }
    }
    return null;
  }
}
