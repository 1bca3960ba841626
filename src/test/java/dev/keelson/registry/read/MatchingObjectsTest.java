package dev.keelson.registry.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.registry.Collection;
import dev.keelson.registry.RegistryTest;
import dev.keelson.storage.Entry;
import dev.keelson.work.Turn;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A list without an end ends when its client has gone, whatever it selects by. */
@Timeout(60)
class MatchingObjectsTest extends RegistryTest {

  MatchingObjectsTest(@TempDir Path directory) {
    super(directory);
  }

  private void assertEnds(String labels, String fields) {
    Collection maps = api.collection("v1", "configmaps", "default");
    Entry entry = Objects.requireNonNull(api.objects().get(maps.type(), "default", "m").entry());
    MatchingObjects objects =
        new MatchingObjects(
            maps.definition(),
            Stream.generate(() -> entry).iterator(),
            new ObjectMatcher(
                maps,
                new ListQuery(LabelSelector.parse(labels), FieldSelector.parse(fields)),
                api.codec()));

    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> Turn.run(() -> true, () -> drained(objects)))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
  }

  private static boolean drained(MatchingObjects objects) {
    while (objects.hasNext()) {
      assertThat(objects.next().revision()).isPositive();
    }
    return true;
  }

  @Test
  void listThatNobodyWaitsFor_ends() {
    assertThat(api.create("v1", "configmaps", "default", "{'metadata':{'name':'m'}}").kind())
        .isEqualTo("ConfigMap");

    assertEnds("", "");
    assertEnds("a=b", "");
    assertEnds("!a", "");
    assertEnds("", "metadata.name=other");
    assertEnds("", "metadata.name!=other");
  }
}
