package dev.keelson.http.audit;

import dev.keelson.api.Verb;
import dev.keelson.audit.event.RequestFacts;
import dev.keelson.audit.event.SourceAddresses;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What events show of a request. */
final class Facts {

  /** Subresources whose responses last as long as client and server like. */
  private static final Set<String> LONG_RUNNING =
      Set.of("attach", "exec", "log", "portforward", "proxy");

  private Facts() {}

  static RequestFacts of(Exchange exchange, @Nullable UserInfo user, InstantSource clock) {
    ApiRequest request = exchange.request();
    Instant received = exchange.context().received();
    return new RequestFacts(
        exchange.context().auditId(),
        request.uri(),
        switch (exchange.info()) {
          case RequestInfo.Resource info -> info.verb().word();
          case RequestInfo.NonResource info -> info.verb();
        },
        user,
        SourceAddresses.of(
            request.header("X-Forwarded-For"),
            request.header("X-Real-Ip"),
            request.remoteAddress()),
        request.header("User-Agent"),
        received == null ? clock.instant() : received);
  }

  /** Whether an event is generated when the response begins, too. */
  static boolean isLongRunning(RequestInfo info) {
    return info instanceof RequestInfo.Resource resource
        && (resource.verb() == Verb.WATCH || LONG_RUNNING.contains(resource.subresource()));
  }
}
