package dev.keelson.http.filter;

import com.google.re2j.Pattern;
import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.authz.Authorizer;
import dev.keelson.flow.InFlightLimiter;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.RequestMetrics;
import dev.keelson.http.audit.AuditFilter;
import dev.keelson.http.audit.AuditParts;
import dev.keelson.http.audit.FailedRequestAudit;
import dev.keelson.http.audit.RequestReceivedFilter;
import dev.keelson.http.console.ConsoleSessions;
import dev.keelson.http.fairness.PriorityAndFairness;
import dev.keelson.request.Tracer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The filter chain, outermost first. A request passes it from top to bottom and its response from
 * bottom to top:
 *
 * <ol>
 *   <li>{@link MetricsFilter}: counts and times all requests, errors included
 *   <li>{@link CompressionFilter}: gzip for large responses
 *   <li>{@link ResponseHeaderFilter}: Audit-Id, Cache-Control and Warning on every response
 *   <li>{@link StrictTransportFilter}: Strict-Transport-Security, if configured
 *   <li>{@link CorsFilter}: the headers of CORS and preflight requests, if configured
 *   <li>{@link PassedPageFilter}: no origin for pages of other servers, beside the console
 *   <li>{@link ErrorFilter}: exceptions become a Status
 *   <li>{@link InvalidRequestFilter}: 400 for a timeout that is no duration
 *   <li>{@link AuthenticationFilter}: the user, or 401
 *   <li>{@link TracingFilter}: begins the span of the request, if tracing is configured
 *   <li>{@link AuditFilter}: an audit event at each stage of the request, if audit is configured
 *   <li>{@link ImpersonationFilter}: the impersonated user, if that is authorized
 *   <li>{@link PriorityAndFairness}: queues requests fairly, 429 for what would wait too long; or,
 *       without it, {@link MaxInFlightFilter}: 429 above the limits
 *   <li>{@link AuthorizationFilter}: 403 for unauthorized requests
 *   <li>the verb, or the requested document
 * </ol>
 *
 * The chain begins with the head of a request; its body is read when the verb asks for it.
 * Authentication precedes the in-flight limits, so that unauthenticated requests do not use them
 * up.
 */
public final class FilterOrder {

  private final UnionAuthenticator authenticators;
  private final ImpersonationAuthorizer impersonation;
  private final Authorizer authorizer;
  private final List<String> openPaths;
  private final InFlightLimiter limiter;
  private final @Nullable PriorityAndFairness fairness;
  private final ErrorResponses errors;
  private final RequestMetrics metrics;
  private final @Nullable AuditParts audit;
  private final @Nullable Tracer tracer;
  private final Browsers browsers;

  /**
   * What browsers are told.
   *
   * @param origins patterns that are found in the origins that may use the server; empty disables
   *     CORS
   * @param strictTransport the value of Strict-Transport-Security; empty for no header
   * @param sessions the sessions of the console; null without it
   */
  public record Browsers(
      List<Pattern> origins, String strictTransport, @Nullable ConsoleSessions sessions) {
    public Browsers {
      origins = List.copyOf(origins);
    }

    /**
     * The same with the origins as regular expressions.
     *
     * @throws IllegalArgumentException for one that is malformed
     */
    public static Browsers of(
        List<String> origins, String strictTransport, @Nullable ConsoleSessions sessions) {
      return new Browsers(CorsFilter.patterns(origins), strictTransport, sessions);
    }
  }

  /**
   * @param openPaths paths that are served without authorization
   * @param limiter used without {@code fairness}
   * @param fairness priority and fairness, or null if it is off
   * @param audit the parts of audit logging, or null if it is not configured
   * @param tracer begins the spans of requests, or null if tracing is not configured
   */
  public FilterOrder(
      UnionAuthenticator authenticators,
      Authorizer authorizer,
      List<String> openPaths,
      InFlightLimiter limiter,
      @Nullable PriorityAndFairness fairness,
      ErrorResponses errors,
      RequestMetrics metrics,
      @Nullable AuditParts audit,
      @Nullable Tracer tracer,
      Browsers browsers) {
    this.browsers = browsers;
    this.authenticators = authenticators;
    this.impersonation = new ImpersonationAuthorizer(authorizer, metrics);
    this.authorizer = authorizer;
    this.openPaths = List.copyOf(openPaths);
    this.limiter = limiter;
    this.fairness = fairness;
    this.errors = errors;
    this.metrics = metrics;
    this.audit = audit;
    this.tracer = tracer;
  }

  /**
   * Returns the chain for requests of this process, whose user is known: without authentication,
   * impersonation and in-flight limits, and without what concerns a connection.
   */
  public RequestHandler behindAuthentication(RequestHandler end) {
    RequestHandler authorized = new AuthorizationFilter(authorizer, openPaths, metrics, end);
    AuditParts parts = audit;
    RequestHandler received =
        parts == null
            ? traced(authorized)
            : new RequestReceivedFilter(parts.clock(), traced(new AuditFilter(parts, authorized)));
    return new MetricsFilter(metrics, new ErrorFilter(errors, received));
  }

  /** Returns the chain that ends with {@code end}. */
  public RequestHandler around(RequestHandler end) {
    RequestHandler authorized = new AuthorizationFilter(authorizer, openPaths, metrics, end);
    PriorityAndFairness fair = fairness;
    RequestHandler limited =
        fair == null ? new MaxInFlightFilter(limiter, authorized) : fair.around(authorized);
    RequestHandler asOther = new ImpersonationFilter(impersonation, limited);
    AuditParts parts = audit;
    RequestHandler audited = parts == null ? asOther : new AuditFilter(parts, asOther);
    RequestHandler refused = new RefusingHandler();
    RequestHandler failed = parts == null ? refused : new FailedRequestAudit(parts, refused);
    RequestHandler authenticated =
        new AuthenticationFilter(
            authenticators,
            new OtherOrigins(browsers.origins),
            browsers.sessions,
            metrics,
            failed,
            traced(audited));
    RequestHandler sound = new InvalidRequestFilter(failed, authenticated);
    RequestHandler received =
        parts == null ? sound : new RequestReceivedFilter(parts.clock(), sound);
    RequestHandler answered = new ErrorFilter(errors, received);
    RequestHandler isolated = browsers.sessions == null ? answered : new PassedPageFilter(answered);
    RequestHandler shared =
        browsers.origins.isEmpty() ? isolated : new CorsFilter(browsers.origins, isolated);
    return sent(new CompressionFilter(annotated(shared)));
  }

  /**
   * Returns the chain for requests that anybody may make, and that are no requests of the API:
   * without authentication, authorization, limits and audit.
   *
   * @param dress adds headers to every response, errors included
   */
  public RequestHandler open(RequestHandler end, UnaryOperator<ApiResponse> dress) {
    RequestHandler answered = new ErrorFilter(errors, end);
    return sent(annotated(exchange -> dress.apply(answered.answer(exchange))));
  }

  private RequestHandler traced(RequestHandler next) {
    Tracer spans = tracer;
    return spans == null ? next : new TracingFilter(spans, next);
  }

  private RequestHandler annotated(RequestHandler next) {
    return new ResponseHeaderFilter(
        browsers.strictTransport.isEmpty()
            ? next
            : new StrictTransportFilter(browsers.strictTransport, next));
  }

  private RequestHandler sent(RequestHandler next) {
    return new MetricsFilter(metrics, next);
  }
}
