package dev.keelson.flow.level;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupResource;
import dev.keelson.flow.queue.WorkEstimate;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkEstimatorTest {

  private static final RequestInfo.Resource PODS =
      (RequestInfo.Resource) RequestInfoResolver.parse("GET", "/api/v1/pods", Map.of());

  private static WorkEstimator estimator(long objects, long bytes) {
    return new WorkEstimator(
        new WorkEstimator.Cluster() {
          @Override
          public Optional<WorkEstimator.Stored> stored(GroupResource resource) {
            return resource.equals(PODS.groupResource())
                ? Optional.of(new WorkEstimator.Stored(objects, bytes))
                : Optional.empty();
          }

          @Override
          public int watches(RequestInfo.Resource write) {
            return 0;
          }
        });
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, false, false, 0, 1",
    "100, 3000, 0, false, false, 0, 3",
    "10000, 3000, 0, false, false, 0, 10",
    "10000, 3000, 0, false, true, 0, 100",
    "10000, 3000, 500, false, true, 0, 15",
    "10000, 3000, 500, true, true, 0, 100",
    "1000, 3000, 500, true, true, 0, 15",
    "10000, 3000, 0, false, false, 4, 4",
    "10000, 3000, 0, false, false, 1, 1",
  })
  void lists_areEstimatedByTheirBytes(
      long objects, long bytes, long limit, boolean selects, boolean store, int most, int seats) {
    WorkEstimate estimate =
        estimator(objects, bytes)
            .list(PODS, new WorkEstimator.Selection(limit, selects, store), most);

    assertThat(estimate).isEqualTo(new WorkEstimate(seats));
  }

  @Test
  void listOfOneName_andOfAnUnknownType_takesOneSeat() {
    RequestInfo named =
        RequestInfoResolver.parse(
            "GET", "/api/v1/namespaces/a/pods", Map.of("fieldSelector", "metadata.name=p"));
    RequestInfo unknown = RequestInfoResolver.parse("GET", "/apis/x/v1/things", Map.of());
    WorkEstimator.Selection everything = new WorkEstimator.Selection(0, false, false);

    assertThat(estimator(10_000, 3000).list((RequestInfo.Resource) named, everything, 0))
        .isEqualTo(WorkEstimate.ONE);
    assertThat(estimator(10_000, 3000).list((RequestInfo.Resource) unknown, everything, 0))
        .isEqualTo(WorkEstimate.ONE);
    assertThat(estimator(0, 0).invalidList(7)).isEqualTo(new WorkEstimate(7));
  }

  @Test
  void writes_keepSeatsForTheirWatches() {
    WorkEstimator any = estimator(0, 0);

    assertThat(any.write(9, 0)).isEqualTo(WorkEstimate.ONE);
    assertThat(any.write(10, 0)).isEqualTo(new WorkEstimate(1, 1, Duration.ofMillis(5)));
    assertThat(any.write(95, 0)).isEqualTo(new WorkEstimate(1, 10, Duration.ofMillis(5)));
    assertThat(any.write(1000, 0)).isEqualTo(new WorkEstimate(1, 10, Duration.ofMillis(50)));
    assertThat(any.write(1000, 4)).isEqualTo(new WorkEstimate(1, 4, Duration.ofMillis(125)));
  }
}
