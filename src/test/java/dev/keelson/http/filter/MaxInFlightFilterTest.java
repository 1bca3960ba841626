package dev.keelson.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.flow.InFlightLimiter;
import dev.keelson.flow.InFlightLimiter.Sort;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestContent;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MaxInFlightFilterTest {

  private static final String BUSY = "Too many requests, please try again later.";

  private final InFlightLimiter limiter = new InFlightLimiter(1, 1);
  private final RequestHandler reading =
      exchange -> ApiResponse.of(201, "text/plain", exchange.request().body());

  private static Exchange create(String group, RequestContent body) {
    ApiRequest request =
        new ApiRequest(
                "POST",
                "/api/v1/namespaces/default/configmaps",
                Query.NONE,
                Map.of(),
                new byte[0],
                List.of(),
                "192.0.2.1")
            .with(body);
    return new Exchange(
        request,
        RequestInfoResolver.parse(request.method(), request.path(), Map.of()),
        new RequestContext(new UserInfo("ann", "", List.of(group), Map.of()), "audit-1"));
  }

  private RequestHandler filter(RequestHandler next) {
    return new MaxInFlightFilter(limiter, next);
  }

  /** A body on its way; {@code meanwhile} runs while it is waited for. */
  private static RequestContent late(Runnable meanwhile) {
    return new RequestContent() {
      private boolean come;

      @Override
      public byte[] bytes() {
        if (!come) {
          meanwhile.run();
          come = true;
        }
        return new byte[] {'x'};
      }

      @Override
      public boolean taken() {
        return come;
      }

      @Override
      public long length() {
        return come ? 1 : 0;
      }

      @Override
      public boolean isComplete() {
        return come;
      }
    };
  }

  @Test
  void requestsAboveTheLimit_areRefused_butNotThoseOfMasters() {
    assertThat(limiter.enter(Sort.MUTATING)).isTrue();

    Exchange refused = create("dev", RequestContent.NONE);
    assertThatThrownBy(() -> filter(reading).answer(refused)).hasMessage(BUSY);
    assertThat(refused.context().refuser()).isEqualTo(RequestContext.Refuser.APISERVER);
    assertThat(filter(reading).answer(create("system:masters", RequestContent.NONE)).status())
        .isEqualTo(201);
    assertThat(limiter.taken(Sort.MUTATING)).isEqualTo(1);
  }

  @Test
  void requestWhoseBodyIsOnItsWay_holdsNoPlace() {
    RequestContent body = late(() -> assertThat(limiter.taken(Sort.MUTATING)).isZero());
    RequestHandler next =
        exchange -> {
          assertThat(limiter.taken(Sort.MUTATING)).isEqualTo(1);
          ApiResponse answer = reading.answer(exchange);
          assertThat(limiter.taken(Sort.MUTATING)).isEqualTo(1);
          assertThat(exchange.request().body()).hasSize(1);
          return answer;
        };

    assertThat(filter(next).answer(create("dev", body)).status()).isEqualTo(201);
    assertThat(limiter.taken(Sort.MUTATING)).isZero();
  }

  @Test
  void requestWhosePlaceIsTakenWhenItsBodyHasCome_isRefused() {
    RequestContent body = late(() -> assertThat(limiter.enter(Sort.MUTATING)).isTrue());

    assertThatThrownBy(() -> filter(reading).answer(create("dev", body))).hasMessage(BUSY);
    assertThat(limiter.taken(Sort.MUTATING)).isEqualTo(1);
  }

  @Test
  void bodyThatDoesNotCome_leavesNothingTaken() {
    RequestContent body =
        late(
            () -> {
              throw new IllegalStateException("408");
            });

    assertThatThrownBy(() -> filter(reading).answer(create("dev", body))).hasMessage("408");
    assertThat(limiter.taken(Sort.MUTATING)).isZero();
  }
}
