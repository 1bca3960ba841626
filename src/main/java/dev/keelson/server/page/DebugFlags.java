package dev.keelson.server.page;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Route;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;

/**
 * {@code /debug/flags/}: an index, and {@code v}, which sets the verbosity of the log while the
 * server runs (source: apiserver, server/routes/flags.go). Not among the listed paths.
 *
 * @param verbosity sets the value of {@code --v}
 */
public record DebugFlags(IntConsumer verbosity) implements Route {

  private static final String ROOT = "/debug/flags";
  private static final String VERBOSITY = ROOT + "/v";
  private static final String TEXT = "text/plain";
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");

  private static final String INDEX =
      """
      <html>
      <head>
      <title>/debug/flags/</title>
      </head>
      <body>
      /debug/flags/<br>
      <br>
      flags:<br>
      <table>
      <tr>v<br>
      </table>
      <br>
      full flags configurable<br>
      </body>
      </html>
      """;

  @Override
  public boolean serves(String path) {
    return path.equals(ROOT) || path.startsWith(ROOT + "/");
  }

  @Override
  public Optional<ApiResponse> answer(ApiRequest request) {
    if (!serves(request.path())) {
      return Optional.empty();
    }
    if (request.path().equals(VERBOSITY)) {
      return Optional.of(
          request.method().equals("PUT")
              ? set(new String(request.body(), StandardCharsets.UTF_8))
              : text(406, "unsupported http method"));
    }
    return Optional.of(
        ApiResponse.of(200, "text/html; charset=utf-8", INDEX.getBytes(StandardCharsets.UTF_8)));
  }

  private ApiResponse set(String value) {
    try {
      if (!INTEGER.matcher(value).matches()) {
        return failed(value, "invalid syntax");
      }
      verbosity.accept(Integer.parseInt(value));
    } catch (NumberFormatException e) {
      return failed(value, "value out of range");
    }
    return text(200, "successfully set klog.logging.verbosity to " + value);
  }

  private static ApiResponse failed(String value, String why) {
    return text(
        400,
        "failed set klog.logging.verbosity "
            + value
            + ": strconv.ParseInt: parsing "
            + GoQuote.quote(value)
            + ": "
            + why);
  }

  private static ApiResponse text(int status, String line) {
    return new ApiResponse(
        status,
        List.of(new Header("Content-Type", TEXT), new Header("X-Content-Type-Options", "nosniff")),
        Payload.of((line + "\n").getBytes(StandardCharsets.UTF_8)));
  }
}
