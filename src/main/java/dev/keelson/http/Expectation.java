package dev.keelson.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.regex.Pattern;

/** The header Expect: a client that sends its body when it is asked to (RFC 9110, 10.1.1). */
public final class Expectation {

  private static final String CONTINUE = "100-continue";
  private static final Pattern SEPARATOR = Pattern.compile("[ ,\t]");

  private Expectation() {}

  /** Whether a value of the header is the expectation of 100 (source: hasToken of net/http). */
  public static boolean isContinue(String value) {
    // of every request: without the header there is nothing to take apart
    return !value.isEmpty() && SEPARATOR.splitAsStream(value).anyMatch(CONTINUE::equalsIgnoreCase);
  }

  /**
   * Asks for the body of a request that somebody waits for, if the client expects that. Called on
   * the event loop of the request, once.
   */
  public static void askForBody(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (request.version() != HttpVersion.HTTP_1_0
        && request.headers().getAll("Expect").stream().anyMatch(Expectation::isContinue)
        && !response.headWritten()
        && !response.closed()) {
      HttpServerResponse unused = response.writeContinue();
    }
  }
}
