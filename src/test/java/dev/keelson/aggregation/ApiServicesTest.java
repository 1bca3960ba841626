package dev.keelson.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.aggregation.ApiServices.Origin;
import dev.keelson.aggregation.ApiServices.Snapshot;
import dev.keelson.api.GroupVersion;
import dev.keelson.schema.GroupPriority;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ApiServicesTest {

  private static final GroupVersion APPS = new GroupVersion("apps", "v1");
  private static final GroupVersion CUSTOM = new GroupVersion("custom.example.com", "v1");
  private static final GroupVersion OTHER = new GroupVersion("other.example.com", "v1");

  private final ApiServices services = new ApiServices();
  private final AtomicInteger changes = new AtomicInteger();

  private static ApiService local(GroupVersion version, String managed, boolean available) {
    return new ApiService(
        ApiService.nameOf(version),
        "u",
        "1",
        version,
        GroupPriority.of(version),
        managed,
        null,
        available);
  }

  private Snapshot published() {
    services.publish(
        version ->
            version.equals(APPS)
                ? Origin.BUILT_IN
                : version.equals(CUSTOM) ? Origin.CUSTOM : Origin.NOT_SERVED);
    return services.snapshot();
  }

  @Test
  void usualOnes_changeNothing() {
    services.listen(changes::incrementAndGet);
    services.put(local(APPS, "onstart", true));
    services.put(local(CUSTOM, "true", true));

    assertThat(published()).isSameAs(Snapshot.LOCAL);
    assertThat(changes).hasValue(0);
  }

  @Test
  void deletedOne_ofABuiltInGroupVersion_isUnregisteredUntilItComesBack() {
    services.put(local(APPS, "onstart", true));
    services.put(local(CUSTOM, "true", true));
    published();
    services.remove(ApiService.nameOf(APPS));
    services.remove(ApiService.nameOf(CUSTOM));
    services.remove("v1.never.example.com");

    assertThat(published().unregistered()).containsExactly(APPS);

    services.put(local(APPS, "onstart", true));
    assertThat(published().unregistered()).isEmpty();
  }

  @Test
  void thoseThatAreReadAgain_areNotDeleted_othersAre() {
    services.put(local(APPS, "onstart", true));
    published();
    services.clear();
    services.put(local(APPS, "onstart", true));
    assertThat(published().unregistered()).isEmpty();

    services.clear();

    assertThat(published().unregistered()).containsExactly(APPS);
  }

  @Test
  void beforeTheFirstStart_nothingIsUnregistered() {
    assertThat(published().unregistered()).isEmpty();
  }

  @Test
  void thoseOfUsers_forWhatNobodyServes_areUnserved() {
    services.put(local(OTHER, "", true));
    assertThat(published().unserved()).containsExactly(OTHER);

    // these are about to go
    services.put(local(OTHER, "true", true));
    assertThat(published().unserved()).isEmpty();
  }

  @Test
  void localOnes_thatAreNotAvailable_areUnmarked() {
    services.put(local(APPS, "", false));

    assertThat(published().unmarked()).containsExactly("v1.apps");
  }

  @Test
  void remoteOne_hasItsPriority_alsoInAggregatedDiscovery() {
    GroupPriority first = new GroupPriority(19_000, 5);
    services.put(
        new ApiService(
            "v1.other.example.com",
            "u",
            "1",
            OTHER,
            first,
            "",
            new Backend("n", "s", 443, "", true),
            true));
    services.put(
        new ApiService("v1.apps", "u", "1", APPS, new GroupPriority(7, 7), "", null, true));

    Snapshot snapshot = published();

    assertThat(snapshot.priority(OTHER)).isEqualTo(first);
    assertThat(snapshot.servedPriority(OTHER)).isEqualTo(first);
    assertThat(snapshot.priority(APPS)).isEqualTo(new GroupPriority(7, 7));
    assertThat(snapshot.servedPriority(APPS)).isEqualTo(GroupPriority.of(APPS));
  }

  /** All but the generation. */
  private static List<Object> content(ApiServices services) {
    Snapshot snapshot = services.snapshot();
    return List.of(
        snapshot.remotes(),
        snapshot.priorities(),
        snapshot.unserved(),
        snapshot.unregistered(),
        snapshot.unmarked());
  }

  @Test
  void publishOfWhatChanged_givesWhatPublishOfAllGives() {
    Random random = new Random(5);
    ApiServices other = new ApiServices();
    Map<GroupVersion, Origin> origins = new HashMap<>();
    for (int step = 0; step < 5_000; step++) {
      Set<String> names = new HashSet<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        int number = random.nextInt(12);
        GroupVersion version = new GroupVersion("g" + number + ".example.com", "v1");
        String name = ApiService.nameOf(version);
        names.add(name);
        switch (random.nextInt(8)) {
          case 0, 1 -> {
            services.remove(name);
            other.remove(name);
          }
          case 2 -> {
            // the lower half is built in or away
            Origin next = number < 6 ? Origin.BUILT_IN : Origin.CUSTOM;
            origins.put(version, random.nextBoolean() ? next : Origin.NOT_SERVED);
          }
          default -> {
            ApiService next = any(random, version);
            services.put(next);
            other.put(next);
          }
        }
      }
      if (random.nextInt(200) == 0) {
        services.all().forEach(service -> names.add(service.name()));
        services.clear();
        other.clear();
      }
      services.publish(version -> origins.getOrDefault(version, Origin.NOT_SERVED), names);
      other.publish(version -> origins.getOrDefault(version, Origin.NOT_SERVED));

      assertThat(content(services)).as("step " + step).isEqualTo(content(other));
    }
  }

  @Test
  void publishOfOne_asksForThatAlone() {
    for (int i = 0; i < 500; i++) {
      services.put(local(new GroupVersion("g" + i + ".example.com", "v1"), "true", true));
    }
    published();
    List<GroupVersion> asked = new ArrayList<>();
    services.put(local(OTHER, "", true));

    services.publish(
        version -> {
          asked.add(version);
          return Origin.NOT_SERVED;
        },
        Set.of(ApiService.nameOf(OTHER)));

    assertThat(asked).containsExactly(OTHER);
    assertThat(services.snapshot().unserved()).contains(OTHER);
  }

  private static ApiService any(Random random, GroupVersion version) {
    return new ApiService(
        ApiService.nameOf(version),
        "u",
        "1",
        version,
        random.nextBoolean() ? GroupPriority.of(version) : new GroupPriority(7, 7),
        random.nextBoolean() ? "" : "true",
        random.nextInt(3) == 0 ? new Backend("n", "s", 443, "", true) : null,
        random.nextBoolean());
  }
}
