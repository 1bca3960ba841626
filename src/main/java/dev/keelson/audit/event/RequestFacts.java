package dev.keelson.audit.event;

import dev.keelson.request.UserInfo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is the same in all events of a request.
 *
 * @param auditId the identifier that the events, the log and the response header Audit-Id share
 * @param requestUri path and query as they were sent
 * @param verb the verb of the request info; the lower-case method for non-resource requests
 * @param user who sent the request; null while unknown (authentication failed)
 * @param sourceIps the addresses of the client and of proxies, see {@link SourceAddresses}
 * @param userAgent the header; longer ones than 1024 characters are truncated
 * @param received when the request arrived
 */
public record RequestFacts(
    String auditId,
    String requestUri,
    String verb,
    @Nullable UserInfo user,
    List<String> sourceIps,
    String userAgent,
    Instant received) {

  private static final int MAX_USER_AGENT = 1024;
  private static final String TRUNCATED = "...TRUNCATED";

  public RequestFacts {
    sourceIps = List.copyOf(sourceIps);
    userAgent = shown(userAgent);
  }

  /** A User-Agent of at most 1024 characters, or the first of them with a mark. */
  public static String shown(String userAgent) {
    return userAgent.length() > MAX_USER_AGENT
        ? userAgent.substring(0, MAX_USER_AGENT) + TRUNCATED
        : userAgent;
  }
}
