package dev.keelson.http.filter;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.Latencies;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.Span;
import dev.keelson.request.Tracer;
import java.util.List;

/**
 * Begins the span of a request, which {@link MeasuredRequest} ends (source: apiserver,
 * endpoints/filters/traces.go). It follows authentication, since only the traces of privileged
 * clients are continued: others could have everything sampled.
 *
 * @param tracer begins traces
 */
record TracingFilter(Tracer tracer, RequestHandler next) implements RequestHandler {

  private static final List<String> TRUSTED = List.of("system:masters", "system:monitoring");
  private static final int FAILED = 500;

  @Override
  public ApiResponse answer(Exchange exchange) {
    ApiRequest request = exchange.request();
    Latencies latencies = exchange.context().latencies();
    boolean trusted = exchange.context().user().groups().stream().anyMatch(TRUSTED::contains);
    Span span =
        tracer
            .request(
                new Tracer.Incoming(
                    name(request.method(), exchange.info()),
                    exchange.context().auditId(),
                    latencies.begun(),
                    request.headers(),
                    trusted))
            .with("http.request.method", request.method())
            .with("http.target", request.uri())
            .with("url.path", request.path())
            .with("url.scheme", "https")
            .with("client.address", request.remoteAddress())
            .with("user_agent.original", request.header("user-agent"));
    // it has just ended; the span of the request could not begin without the user
    span.begun("authentication", latencies.nanos(Latencies.Layer.AUTHENTICATION)).end();
    latencies.trace(span);
    return next.answer(exchange);
  }

  /** Ends the span of a request whose response has been sent. */
  static void end(Span span, int status, long bytes) {
    Span done =
        span.with("http.response.status_code", status).with("http.response.body.size", bytes);
    if (status >= FAILED) {
      done.failed("");
    }
    done.end();
  }

  /** The method and the path with placeholders for what clients choose. */
  static String name(String method, RequestInfo info) {
    if (!(info instanceof RequestInfo.Resource resource)) {
      return method;
    }
    StringBuilder name = new StringBuilder(method);
    name.append(resource.groupVersion().group().isEmpty() ? " /api" : " /apis");
    if (!resource.groupVersion().group().isEmpty()) {
      name.append('/').append(resource.groupVersion().group());
    }
    name.append('/').append(resource.groupVersion().version());
    if (!resource.namespace().isEmpty()) {
      name.append("/namespaces/{:namespace}");
    }
    name.append('/').append(resource.resource());
    if (!resource.name().isEmpty()) {
      name.append("/{:name}");
    }
    if (!resource.subresource().isEmpty()) {
      name.append('/').append(resource.subresource());
    }
    return name.toString();
  }
}
