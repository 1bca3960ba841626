package dev.keelson.http.connection;

import dev.keelson.http.ApiResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/**
 * The status line and the headers of a response.
 *
 * @param date the Date of responses without one; those of another server have their own
 */
record ResponseHead(DateHeader date) {

  /** Sets both; sends nothing yet. */
  void write(HttpServerResponse response, ApiResponse answer) {
    response.setStatusCode(answer.status());
    // removes a Content-Type that the framework may have set
    response.headers().clear();
    for (ApiResponse.Header header : answer.headers()) {
      response.headers().add(header.name(), header.value());
    }
    if (!response.headers().contains(HttpHeaders.DATE)) {
      response.headers().add(HttpHeaders.DATE, date.now());
    }
  }
}
