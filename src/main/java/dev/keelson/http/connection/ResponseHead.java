package dev.keelson.http.connection;

import dev.keelson.http.ApiResponse;
import io.vertx.core.http.HttpServerResponse;

/** The status line and the header lines of an answer. */
final class ResponseHead {

  private ResponseHead() {}

  /** Sets both; sends nothing yet. */
  static void write(HttpServerResponse response, ApiResponse answer) {
    response.setStatusCode(answer.status());
    // the framework may have said what it thinks that the body is
    response.headers().clear();
    for (ApiResponse.Header header : answer.headers()) {
      response.headers().add(header.name(), header.value());
    }
  }
}
