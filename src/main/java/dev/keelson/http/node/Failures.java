package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.http.relay.Target;
import dev.keelson.value.GoQuote;
import dev.keelson.value.HostPort;
import java.net.ConnectException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/** The errors of servers that cannot be reached, and of kubelets that refuse, in Go's words. */
final class Failures {

  private Failures() {}

  /** What went wrong with a connection. */
  static String text(Throwable cause, Target target) {
    String dial =
        "dial tcp "
            + HostPort.join(
                target.address().getHostString(), Integer.toString(target.address().getPort()))
            + ": ";
    String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return switch (cause) {
      case ConnectException _ when message.contains("timed out") -> dial + "i/o timeout";
      case ConnectException _ when message.contains("refused") ->
          dial + "connect: connection refused";
      case UnknownHostException _ -> noSuchHost(target.host());
      case SSLException _ -> "tls: failed to verify certificate: x509: " + message;
      default -> message;
    };
  }

  static String noSuchHost(String host) {
    return "dial tcp: lookup " + host + ": no such host";
  }

  /** An error that Kubernetes answers as it is, with 500 and no reason. */
  static ApiException plain(String message, Throwable cause) {
    return new ApiException(Reason.UNKNOWN, message, ErrorDetails.NONE, cause);
  }

  /**
   * What a kubelet's refusal to show a log becomes (source: {@code GenericHttpResponseChecker} and
   * {@code NewGenericServerResponse}).
   *
   * @param status the kubelet's
   * @param text its body
   */
  static ApiException ofLog(int status, String text, String pod) {
    if (status == 500) {
      return new ApiException(Reason.INTERNAL_ERROR, "Internal error occurred: " + text);
    }
    if (status == 400) {
      return ApiException.badRequest(text);
    }
    String word = "";
    String message =
        "the server responded with the status code "
            + status
            + " but did not return more information";
    switch (status) {
      case 401 -> {
        word = Reason.UNAUTHORIZED.word();
        message = "the server has asked for the client to provide credentials";
      }
      case 403 -> {
        word = Reason.FORBIDDEN.word();
        message = text;
      }
      case 404 -> {
        word = Reason.NOT_FOUND.word();
        message = "the server could not find the requested resource";
      }
      case 405 -> {
        word = Reason.METHOD_NOT_ALLOWED.word();
        message = "the server does not allow this method on the requested resource";
      }
      case 409 -> {
        word = Reason.CONFLICT.word();
        message = "the server reported a conflict";
      }
      case 422 -> {
        word = Reason.INVALID.word();
        message = "the server rejected our request due to an error in our request";
      }
      case 429 -> {
        word = Reason.TOO_MANY_REQUESTS.word();
        message = "the server has received too many requests and has asked us to try again later";
      }
      case 503 -> {
        word = Reason.SERVICE_UNAVAILABLE.word();
        message = "the server is currently unable to handle the request";
      }
      case 504 -> {
        word = Reason.TIMEOUT.word();
        message =
            "the server was unable to return a response in the time allotted, but may still be"
                + " processing the request";
      }
      default -> {
        if (status >= 500) {
          word = Reason.INTERNAL_ERROR.word();
          message =
              "an error on the server ("
                  + GoQuote.quote(text)
                  + ") has prevented the request from succeeding";
        }
      }
    }
    // the verb is empty, as in Kubernetes
    return ApiException.ofStatus(
        Math.max(status, 400),
        word,
        message + " ( pods/log " + pod + ")",
        ErrorDetails.of(new GroupResource("", "pods/log"), pod));
  }
}
