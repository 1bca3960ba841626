package dev.keelson.http.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FeatureGateHandlerTest {

  private static Exchange exchange(String query) {
    Query parsed = Query.parse(query);
    String path = "/api/v1/namespaces/default/pods";
    ApiRequest request =
        new ApiRequest("GET", path, parsed, Map.of(), new byte[0], List.of(), "127.0.0.1");
    return new Exchange(
        request,
        RequestInfoResolver.parse("GET", path, parsed.firsts()),
        new RequestContext(new UserInfo("u", "", List.of(), Map.of()), ""));
  }

  /** The query that is left. */
  private static Map<String, List<String>> passed(FeatureGates gates, String query) {
    Query[] seen = {Query.NONE};
    FeatureGateHandler stage =
        new FeatureGateHandler(
            exchange -> {
              seen[0] = exchange.request().query();
              return ApiResponse.of(200, "text/plain", new byte[0]);
            },
            gates);
    assertThat(stage.answer(exchange(query)).status()).isEqualTo(200);
    return seen[0].values();
  }

  @Test
  void dryRun_withItsGateClosed_isRefused() {
    FeatureGates closed = FeatureGates.DEFAULT.with(Feature.DRY_RUN, false);

    assertThat(passed(FeatureGates.DEFAULT, "dryRun=All")).containsKey("dryRun");
    assertThatThrownBy(() -> passed(closed, "dryRun=All"))
        .isInstanceOf(ApiException.class)
        .hasMessage("the dryRun alpha feature is disabled");
  }

  @Test
  void limit_withItsGateClosed_isNotHeeded() {
    FeatureGates closed = FeatureGates.DEFAULT.with(Feature.API_LIST_CHUNKING, false);

    assertThat(passed(FeatureGates.DEFAULT, "limit=1&pretty=1")).containsKeys("limit", "pretty");
    assertThat(passed(closed, "limit=1&pretty=1")).containsOnlyKeys("pretty");
  }

  @Test
  void uninitializedObjects_areHiddenOnlyWithTheGateOpenAndUnlessAskedFor() {
    FeatureGates open = FeatureGates.DEFAULT.with(Feature.INITIALIZERS, true);

    assertThat(passed(FeatureGates.DEFAULT, "limit=1")).containsOnlyKeys("limit");
    assertThat(passed(open, "limit=1")).containsEntry("includeUninitialized", List.of("false"));
    assertThat(passed(open, "watch=1&includeUninitialized=true"))
        .containsEntry("includeUninitialized", List.of("true"));
  }
}
