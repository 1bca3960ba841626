package dev.keelson.http.connection;

import dev.keelson.http.ApiResponse;
import io.vertx.core.http.HttpServerResponse;

/** The status line and the headers of a response. */
final class ResponseHead {

  private ResponseHead() {}

  /** Sets both; sends nothing yet. */
  static void write(HttpServerResponse response, ApiResponse answer) {
    response.setStatusCode(answer.status());
    // removes a Content-Type that the framework may have set
    response.headers().clear();
    for (ApiResponse.Header header : answer.headers()) {
      response.headers().add(header.name(), header.value());
    }
  }
}
