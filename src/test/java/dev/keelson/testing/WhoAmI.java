package dev.keelson.testing;

import com.google.gson.Gson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

/** Sends SelfSubjectReviews with any certificates and headers. */
public final class WhoAmI {

  private static final Gson GSON = new Gson();
  private static final String PATH = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  private static final String BODY =
      "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}";

  private final URI place;
  private final HttpClient client;

  /**
   * The response.
   *
   * @param status the HTTP status code
   * @param user the user name; empty unless the status is 201
   * @param groups the user's groups
   * @param body the body
   */
  public record Response(int status, String user, List<String> groups, String body) {}

  public WhoAmI(URI server, SSLContext tls) {
    this.place = server.resolve(PATH);
    this.client =
        HttpClient.newBuilder().sslContext(tls).connectTimeout(Duration.ofMinutes(1)).build();
  }

  /** With a bearer token. */
  public Response bearer(String token) {
    return ask("Authorization", "Bearer " + token);
  }

  /** Gets a path; the response has no user. */
  public Response get(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(place.resolve(path)).timeout(Duration.ofMinutes(2)).GET();
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<String> answer = send(request.build());
    return new Response(answer.statusCode(), "", List.of(), answer.body());
  }

  /** With headers, given as name, value, name, value; a name may repeat. */
  public Response ask(String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(place)
            .timeout(Duration.ofMinutes(2))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(BODY));
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<String> answer = send(request.build());
    return read(answer.statusCode(), answer.body());
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Response read(int status, String body) {
    if (status != 201) {
      return new Response(status, "", List.of(), body);
    }
    Map<?, ?> user = member(member(GSON.fromJson(body, Map.class), "status"), "userInfo");
    List<String> groups =
        user.get("groups") instanceof List<?> list
            ? list.stream().map(String::valueOf).toList()
            : List.of();
    return new Response(status, String.valueOf(user.get("username")), groups, body);
  }

  private static Map<?, ?> member(Map<?, ?> object, String key) {
    if (object.get(key) instanceof Map<?, ?> member) {
      return member;
    }
    throw new AssertionError("no " + key + " in " + object);
  }
}
