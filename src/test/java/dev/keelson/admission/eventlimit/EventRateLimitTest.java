package dev.keelson.admission.eventlimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.testing.AdmissionCalls;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class EventRateLimitTest {

  private final AtomicLong clock = new AtomicLong();
  private final AdmissionCalls calls = new AdmissionCalls();

  private EventRateLimit plugin(String limits) {
    return new EventRateLimit(
        EventRateLimitConfiguration.of(
            AdmissionCalls.tree(
                "{'apiVersion':'eventratelimit.admission.k8s.io/v1alpha1','kind':'Configuration','limits':["
                    + limits
                    + "]}")),
        clock::get);
  }

  private AdmissionAttributes event(String namespace, String object) {
    return calls.create(
        "v1",
        "events",
        AdmissionCalls.object(
            "v1",
            "events",
            "{'metadata':{'name':'e','namespace':'%s'},'source':{'component':'c'},'involvedObject':{'name':'%s'}}"
                .formatted(namespace, object)));
  }

  private static boolean accepts(EventRateLimit plugin, AdmissionAttributes event) {
    try {
      plugin.validate(event);
      return true;
    } catch (ApiException e) {
      assertThat(e.reason()).isEqualTo(Reason.TOO_MANY_REQUESTS);
      return false;
    }
  }

  @Test
  void server_acceptsTheBurstAndThenTheRate() {
    EventRateLimit plugin = plugin("{'type':'Server','qps':2,'burst':3}");
    AdmissionAttributes event = event("n", "o");

    for (int i = 0; i < 3; i++) {
      assertThat(accepts(plugin, event)).isTrue();
    }
    assertThatThrownBy(() -> plugin.validate(event))
        .hasMessage("Too many requests: limit reached on type Server for key ");
    clock.addAndGet(500_000_000);
    assertThat(accepts(plugin, event)).isTrue();
    assertThat(accepts(plugin, event)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Namespace", "User", "SourceAndObject"})
  void otherKeys_haveTheirOwnLimit(String type) {
    EventRateLimit plugin = plugin("{'type':'%s','qps':1,'burst':1}".formatted(type));

    assertThat(accepts(plugin, event("a", "x"))).isTrue();
    assertThat(accepts(plugin, event("a", "x"))).isFalse();
    calls.as("bob");
    assertThat(accepts(plugin, event("b", "y"))).isTrue();
  }

  @Test
  void limits_areAllAsked_andTheRefusalsJoined() {
    EventRateLimit plugin =
        plugin(
            "{'type':'Server','qps':1,'burst':1},{'type':'Namespace','qps':1,'burst':1},"
                + "{'type':'User','qps':1,'burst':5}");
    AdmissionAttributes event = event("n", "o");

    assertThat(accepts(plugin, event)).isTrue();
    assertThatThrownBy(() -> plugin.validate(event))
        .hasMessage(
            "Too many requests: [limit reached on type Server for key , limit reached on type"
                + " Namespace for key n]");
  }

  @Test
  void leastRecentlyUsedKey_isForgotten() {
    EventRateLimit plugin = plugin("{'type':'Namespace','qps':1,'burst':1,'cacheSize':2}");

    assertThat(accepts(plugin, event("a", ""))).isTrue();
    assertThat(accepts(plugin, event("b", ""))).isTrue();
    assertThat(accepts(plugin, event("a", ""))).isFalse();
    assertThat(accepts(plugin, event("c", ""))).isTrue();
    assertThat(accepts(plugin, event("a", ""))).isFalse();
    assertThat(accepts(plugin, event("b", ""))).isTrue();
  }

  @Test
  void dryRuns_areNotCounted() {
    EventRateLimit plugin = plugin("{'type':'Server','qps':1,'burst':1}");
    AdmissionAttributes real = event("n", "o");
    calls.dryRun();

    assertThat(accepts(plugin, event("n", "o"))).isTrue();
    assertThat(accepts(plugin, event("n", "o"))).isTrue();
    assertThat(accepts(plugin, real)).isTrue();
  }

  @Test
  void configuration_thatIsInvalid_isRefused() {
    assertThatThrownBy(() -> plugin("{'type':'Pod','qps':0,'burst':-1}"))
        .hasMessage(
            "[limits[0].type: Unsupported value: \"Pod\": supported values: \"Namespace\","
                + " \"Server\", \"SourceAndObject\", \"User\", limits[0].burst: Invalid value: -1:"
                + " must be positive, limits[0].qps: Invalid value: 0: must be positive]");
    assertThatThrownBy(() -> plugin("")).hasMessageContaining("must not be empty");
    assertThatThrownBy(() -> plugin("{'type':'User','qps':1,'burst':1,'cacheSize':-1}"))
        .hasMessageContaining("limits[0].cacheSize: Invalid value: -1: must not be negative");
  }
}
