package dev.keelson.webhook;

import java.io.IOException;

/** A Service has no address to connect to; the message is that of kube-apiserver. */
public final class UnresolvableServiceException extends IOException {

  private static final long serialVersionUID = 1L;

  UnresolvableServiceException(String message) {
    super(message);
  }
}
