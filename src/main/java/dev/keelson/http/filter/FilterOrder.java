package dev.keelson.http.filter;

import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.authz.Authorizer;
import dev.keelson.flow.InFlightLimiter;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.RequestMetrics;
import java.util.List;

/**
 * The whole chain, outermost first. A request passes it from the top to the bottom and its answer
 * comes back the other way:
 *
 * <ol>
 *   <li>{@link MetricsFilter}: counts and times everything, errors included
 *   <li>{@link CompressionFilter}: gzip for long answers to clients that ask for it
 *   <li>{@link ResponseHeaderFilter}: audit id, cache control and warnings on every answer
 *   <li>{@link ErrorFilter}: what is thrown below becomes a Status
 *   <li>{@link AuthenticationFilter}: who asks, or 401
 *   <li>{@link ImpersonationFilter}: acts as another user, if the one who asks may
 *   <li>{@link MaxInFlightFilter}: 429 above the limits
 *   <li>{@link AuthorizationFilter}: 403 for what the user may not do
 *   <li>the verbs, or the document that is asked for
 * </ol>
 *
 * Authentication stands outside the limits, so that a flood of strangers cannot take the places of
 * users.
 */
public final class FilterOrder {

  private final UnionAuthenticator authenticators;
  private final ImpersonationAuthorizer impersonation;
  private final Authorizer authorizer;
  private final List<String> openPaths;
  private final InFlightLimiter limiter;
  private final ErrorResponses errors;
  private final RequestMetrics metrics;

  /**
   * @param openPaths paths that everyone who may connect can get
   */
  public FilterOrder(
      UnionAuthenticator authenticators,
      Authorizer authorizer,
      List<String> openPaths,
      InFlightLimiter limiter,
      ErrorResponses errors,
      RequestMetrics metrics) {
    this.authenticators = authenticators;
    this.impersonation = new ImpersonationAuthorizer(authorizer);
    this.authorizer = authorizer;
    this.openPaths = List.copyOf(openPaths);
    this.limiter = limiter;
    this.errors = errors;
    this.metrics = metrics;
  }

  /** The chain with {@code end} at its end. */
  public RequestHandler around(RequestHandler end) {
    RequestHandler authorized = new AuthorizationFilter(authorizer, openPaths, metrics, end);
    RequestHandler limited = new MaxInFlightFilter(limiter, authorized);
    RequestHandler asOther = new ImpersonationFilter(impersonation, limited);
    RequestHandler authenticated = new AuthenticationFilter(authenticators, asOther);
    RequestHandler answered = new ErrorFilter(errors, authenticated);
    RequestHandler annotated = new ResponseHeaderFilter(answered);
    RequestHandler compressed = new CompressionFilter(annotated);
    return new MetricsFilter(metrics, compressed);
  }
}
