package dev.keelson.webhook;

import dev.keelson.value.GoQuote;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The message of a response that is no success (source: apimachinery, NewGenericServerResponse).
 */
final class UnexpectedStatus {

  private static final int MAX_TEXT = 2048;

  private UnexpectedStatus() {}

  static WebhookException of(HttpResponse<byte[]> response) {
    return new WebhookException(
        message(response.statusCode(), text(response)), response.statusCode(), null);
  }

  private static String message(int status, String text) {
    return switch (status) {
      case 400 -> "the server rejected our request for an unknown reason";
      case 401 -> "the server has asked for the client to provide credentials";
      case 403, 415 -> text;
      case 404 -> "the server could not find the requested resource";
      case 405 -> "the server does not allow this method on the requested resource";
      case 406 ->
          text.isEmpty() || text.equals("unknown")
              ? "the server was unable to respond with a content type that the client supports"
              : text;
      case 409 -> "the server reported a conflict";
      case 422 -> "the server rejected our request due to an error in our request";
      case 429 -> "the server has received too many requests and has asked us to try again later";
      case 503 -> "the server is currently unable to handle the request";
      case 504 ->
          "the server was unable to return a response in the time allotted, but may still be"
              + " processing the request";
      default ->
          status >= 500
              ? "an error on the server ("
                  + GoQuote.quote(text)
                  + ") has prevented the request from succeeding"
              : "the server responded with the status code "
                  + status
                  + " but did not return more information";
    };
  }

  /** The body if it is text. */
  private static String text(HttpResponse<byte[]> response) {
    String type = response.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    if (!type.isEmpty() && !type.startsWith("text/")) {
      return "unknown";
    }
    byte[] body = response.body();
    return new String(body, 0, Math.min(body.length, MAX_TEXT), StandardCharsets.UTF_8).strip();
  }
}
