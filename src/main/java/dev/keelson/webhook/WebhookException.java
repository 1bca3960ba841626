package dev.keelson.webhook;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A call of a webhook failed; the message is in kube-apiserver's words. */
public final class WebhookException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int status;

  WebhookException(String message, int status, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** The HTTP status of the response; 0 if there is none. */
  public int status() {
    return status;
  }

  /** What is wrong with the server's certificate; null if the call failed for another reason. */
  public @Nullable CertificateFlaw certificateFlaw() {
    return CertificateFlaw.of(this);
  }

  /** The message, which is never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
