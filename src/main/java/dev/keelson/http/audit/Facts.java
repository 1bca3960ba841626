package dev.keelson.http.audit;

import dev.keelson.audit.event.RequestFacts;
import dev.keelson.audit.event.SourceAddresses;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.request.LongRunning;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** What events show of a request. */
final class Facts {

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
    return LongRunning.is(info);
  }
}
