package dev.keelson.webhook;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;

/** Failures of a connection in the words of Go's {@code net/http}, which clients know. */
final class FailureText {

  private static final String UNVERIFIED = "tls: failed to verify certificate: x509: ";
  private static final String UNKNOWN_AUTHORITY = "certificate signed by unknown authority";
  private static final String EXPIRED =
      UNVERIFIED + "certificate has expired or is not yet valid: ";

  private FailureText() {}

  /**
   * Describes a failure.
   *
   * @param address the host and port that were to be reached
   */
  static String of(IOException failure, String address) {
    if (failure instanceof HttpTimeoutException) {
      return "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
    }
    if (failure instanceof InterruptedIOException) {
      return "context canceled";
    }
    for (Throwable t = failure; t != null; t = t.getCause()) {
      switch (t) {
        case UnresolvedAddressException _ -> {
          return "dial tcp: lookup " + address + ": no such host";
        }
        case UnknownHostException _ -> {
          return "dial tcp: lookup " + address + ": no such host";
        }
        case CertificateExpiredException e -> {
          return EXPIRED + e.getMessage();
        }
        case CertificateNotYetValidException e -> {
          return EXPIRED + e.getMessage();
        }
        case CertPathValidatorException e when !(e.getCause() instanceof CertificateException) -> {
          return UNVERIFIED + UNKNOWN_AUTHORITY;
        }
        case CertificateException e when e.getCause() == null -> {
          return UNVERIFIED + e.getMessage();
        }
        case CertPathBuilderException _ -> {
          return UNVERIFIED + UNKNOWN_AUTHORITY;
        }
        case EOFException _ -> {
          return "EOF";
        }
        default -> {}
      }
    }
    return connection(failure, address);
  }

  private static String connection(IOException failure, String address) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof ConnectException) {
        return "dial tcp " + address + ": connect: connection refused";
      }
      if (t instanceof SSLException) {
        return "tls: " + t.getMessage();
      }
      if (t instanceof SocketException) {
        return String.valueOf(t.getMessage()).contains("reset")
            ? "read tcp " + address + ": read: connection reset by peer"
            : String.valueOf(t.getMessage());
      }
    }
    return isEndOfFile(failure)
        ? "EOF"
        : failure.getMessage() == null
            ? failure.getClass().getSimpleName()
            : String.valueOf(failure.getMessage());
  }

  /** Whether the server closed the connection before it responded. */
  static boolean isLostConnection(IOException failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof EOFException || t instanceof SocketException) {
        return true;
      }
    }
    return isEndOfFile(failure);
  }

  /** Whether these are the HTTP client's words for a closed connection. */
  private static boolean isEndOfFile(IOException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.contains("received no bytes") || message.contains("EOF reached");
  }
}
