package dev.keelson.http.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.request.Latencies.Layer;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlowRequestsTest {

  @Test
  void line_hasTheTimeOfEachLayer_andStaysOneLine() {
    String path = "/api/v1/pods";
    ApiRequest request =
        new ApiRequest(
            "GET",
            path,
            new Query(Map.of()),
            Map.of("user-agent", List.of("a\nb")),
            new byte[0],
            List.of(),
            "");
    RequestContext context =
        new RequestContext(new UserInfo("ann", "", List.of(), Map.of()), "id-1");
    context.latencies().add(Layer.STORE, 1_200_000_000L);
    context.latencies().add(Layer.SERIALIZE, 3_400_000L);

    String line =
        SlowRequests.line(
            "slow-request",
            new Exchange(request, RequestInfoResolver.parse("GET", path, Map.of()), context),
            200,
            1_500_000_000L,
            77);

    assertThat(line)
        .isEqualTo(
            "event=slow-request audit=id-1 verb=list uri=\"/api/v1/pods\" user=\"ann\""
                + " agent=\"a\\nb\" status=200 bytes=77 total=1500.0ms etcd=1200.0ms"
                + " serialize-response-object=3.4ms");
  }
}
