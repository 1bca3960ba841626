package dev.keelson.controller.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.quota.DeviceClasses;
import dev.keelson.quota.Evaluators;
import dev.keelson.quota.Quota;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownQuotasTest {

  private static final Duration CHECK = Duration.ofSeconds(5);

  private long nanos;
  private final KnownQuotas known =
      new KnownQuotas(new Evaluators(DeviceClasses.NONE, new ManualClock()), () -> nanos);

  private void put(long revision, String status) {
    String json =
        "{'metadata':{'name':'q','namespace':'n','uid':'u'},'spec':{'hard':{'pods':'5'}},"
            + "'status':"
            + status
            + "}";
    MapNode root =
        (MapNode)
            ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    Optional<Quota> unused = known.put(Quota.of(new ApiObject(root), revision));
  }

  /** What was admitted before there was the quota was not charged, and may be stored later. */
  @Test
  void newQuota_isCountedOnceMore() {
    put(1, "{}");
    put(2, "{'hard':{'pods':'5'},'used':{'pods':'0'}}");

    assertThat(known.takeDoubtful(CHECK)).isEmpty();
    nanos = CHECK.toNanos();
    assertThat(known.takeDoubtful(CHECK)).containsExactly(new QuotaKey("n", "q"));
    assertThat(known.takeDoubtful(CHECK)).isEmpty();
  }

  @Test
  void quotaThatWasThere_isNotCountedAgainUntilItIsCharged() {
    put(1, "{'hard':{'pods':'5'},'used':{'pods':'0'}}");
    nanos = CHECK.toNanos();
    assertThat(known.takeDoubtful(CHECK)).isEmpty();

    put(2, "{'hard':{'pods':'5'},'used':{'pods':'1'}}");
    nanos += CHECK.toNanos();
    assertThat(known.takeDoubtful(CHECK)).containsExactly(new QuotaKey("n", "q"));
  }
}
