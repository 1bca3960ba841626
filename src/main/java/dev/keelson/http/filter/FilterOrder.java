package dev.keelson.http.filter;

import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.authz.Authorizer;
import dev.keelson.flow.InFlightLimiter;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.RequestMetrics;
import dev.keelson.http.audit.AuditFilter;
import dev.keelson.http.audit.AuditParts;
import dev.keelson.http.audit.FailedAuthenticationAudit;
import dev.keelson.http.audit.RequestReceivedFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
 *   <li>{@link AuditFilter}: an audit event at each stage of the request, if audit is configured
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
  private final @Nullable AuditParts audit;

  /**
   * @param openPaths paths that everyone who may connect can get
   * @param audit what the audit works with, or null if it is not configured
   */
  public FilterOrder(
      UnionAuthenticator authenticators,
      Authorizer authorizer,
      List<String> openPaths,
      InFlightLimiter limiter,
      ErrorResponses errors,
      RequestMetrics metrics,
      @Nullable AuditParts audit) {
    this.authenticators = authenticators;
    this.impersonation = new ImpersonationAuthorizer(authorizer);
    this.authorizer = authorizer;
    this.openPaths = List.copyOf(openPaths);
    this.limiter = limiter;
    this.errors = errors;
    this.metrics = metrics;
    this.audit = audit;
  }

  /** The chain with {@code end} at its end. */
  public RequestHandler around(RequestHandler end) {
    RequestHandler authorized = new AuthorizationFilter(authorizer, openPaths, metrics, end);
    RequestHandler limited = new MaxInFlightFilter(limiter, authorized);
    RequestHandler asOther = new ImpersonationFilter(impersonation, limited);
    AuditParts parts = audit;
    RequestHandler audited = parts == null ? asOther : new AuditFilter(parts, asOther);
    RequestHandler unauthorized = new UnauthorizedHandler();
    RequestHandler failed =
        parts == null ? unauthorized : new FailedAuthenticationAudit(parts, unauthorized);
    RequestHandler authenticated = new AuthenticationFilter(authenticators, failed, audited);
    RequestHandler received =
        parts == null ? authenticated : new RequestReceivedFilter(parts.clock(), authenticated);
    RequestHandler answered = new ErrorFilter(errors, received);
    RequestHandler annotated = new ResponseHeaderFilter(answered);
    RequestHandler compressed = new CompressionFilter(annotated);
    return new MetricsFilter(metrics, compressed);
  }
}
