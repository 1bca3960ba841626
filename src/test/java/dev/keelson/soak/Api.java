package dev.keelson.soak;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;

/** Requests for ConfigMaps to a server that may be unavailable at any time. */
final class Api {

  /** The server is unavailable. */
  static final class Away extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean untried;

    Away(String message, Throwable cause) {
      this(
          message,
          cause,
          cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException);
    }

    Away(String message, Throwable cause, boolean untried) {
      super(message, cause);
      this.untried = untried;
    }

    /** Whether the request has certainly had no effect. */
    boolean untried() {
      return untried;
    }
  }

  /** An answer. */
  record Response(int code, JsonObject body) {
    JsonObject metadata() {
      return body.getAsJsonObject("metadata");
    }

    long revision() {
      return Long.parseLong(metadata().get("resourceVersion").getAsString());
    }
  }

  private final Supplier<URI> server;
  private final HttpClient http;
  private final Duration limit;

  /**
   * Requests to a server.
   *
   * @param server its address, which a restart may change
   * @param limit how long to wait for an answer
   */
  Api(Supplier<URI> server, HttpClient http, Duration limit) {
    this.server = server;
    this.http = http;
    this.limit = limit;
  }

  /** The path of the ConfigMaps of a namespace, or of all. */
  static String path(String namespace) {
    return namespace.isEmpty()
        ? "/api/v1/configmaps"
        : "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  Response send(String method, String path, String body) throws Away, InterruptedException {
    return send(method, path, "application/json", body);
  }

  Response send(String method, String path, String type, String body)
      throws Away, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .timeout(limit)
            .header("Content-Type", type)
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response;
    try {
      response = http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new Away(method + " " + path, e);
    }
    return answer(response.statusCode(), method + " " + path, response.body());
  }

  private static Response answer(int code, String what, String text) throws Away {
    JsonElement body = JsonParser.parseString(text);
    if (code == 429 || code == 503 || code == 504) {
      throw new Away(what + ": " + text, new IOException(), /* untried= */ code == 429);
    }
    if (code == 500 || !body.isJsonObject()) {
      throw new AssertionError(what + " was answered with " + code + ": " + text);
    }
    return new Response(code, body.getAsJsonObject());
  }

  /** The events of a watch, line by line; closing it cuts the connection's stream. */
  static final class Stream implements AutoCloseable {
    private final InputStream in;
    private final BufferedReader lines;

    private Stream(InputStream in) {
      this.in = in;
      lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    /** The next event, or null when the server has ended the watch. */
    @org.jspecify.annotations.Nullable
    JsonObject next() throws Away {
      try {
        String line = lines.readLine();
        return line == null ? null : JsonParser.parseString(line).getAsJsonObject();
      } catch (IOException | com.google.gson.JsonParseException e) {
        // a line may be cut where the connection was
        throw new Away("watch", e);
      }
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        // it was cut already
      }
    }
  }

  /** What a watch begins with: a stream, or an answer that says why there is none. */
  record Opened(@org.jspecify.annotations.Nullable Stream stream, int code, String text) {}

  Opened watch(String path) throws Away, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri(path)).GET().build();
    try {
      HttpResponse<InputStream> response =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      if (response.statusCode() == 200) {
        return new Opened(new Stream(response.body()), 200, "");
      }
      String text = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
      Response answer = answer(response.statusCode(), path, text);
      return new Opened(null, answer.code(), text);
    } catch (IOException e) {
      throw new Away(path, e);
    }
  }

  private URI uri(String path) throws Away {
    try {
      return server.get().resolve(path);
    } catch (IllegalStateException e) {
      throw new Away("no address", e, /* untried= */ true);
    }
  }
}
