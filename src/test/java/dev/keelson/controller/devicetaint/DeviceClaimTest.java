package dev.keelson.controller.devicetaint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DeviceClaimTest {

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private static DeviceSlice slice(long generation, String devices) {
    return DeviceSlice.of(
        object(
            "{'spec':{'driver':'d','pool':{'name':'p','generation':%d},'devices':[%s]}}"
                .formatted(generation, devices)));
  }

  private static DeviceClaim claim(String results) {
    return DeviceClaim.of(
        object(
            "{'metadata':{'name':'c'},'status':{'allocation':{'devices':{'results':[%s]}}}}"
                .formatted(results)));
  }

  private static ApiObject object(String text) {
    return new ApiObject(CustomTypes.tree(text));
  }

  private static String device(String name, String... taints) {
    return "{'name':'%s','taints':[%s]}".formatted(name, String.join(",", taints));
  }

  private static String taint(String key, String effect, int after) {
    return "{'key':'%s','value':'v','effect':'%s','timeAdded':'%s'}"
        .formatted(key, effect, BEGIN.plusSeconds(after));
  }

  private static String result(String device, String tolerations) {
    return "{'request':'r','driver':'d','pool':'p','device':'%s','tolerations':[%s]}"
        .formatted(device, tolerations);
  }

  /** The seconds from {@link #BEGIN}; null for never. */
  private static @Nullable Long end(DeviceClaim claim, DeviceSlice... slices) {
    Instant end = claim.end(each -> DeviceSlice.taints(List.of(slices), each.device()));
    return end == null ? null : end.getEpochSecond() - BEGIN.getEpochSecond();
  }

  /** The taint has the key k and the value v, and was added 10 s after the begin. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          none                    |                                                                                          | 10
          for ever                | {'key':'k','operator':'Exists','effect':'NoExecute'}                                     |
          for a time              | {'key':'k','operator':'Exists','effect':'NoExecute','tolerationSeconds':5}               | 15
          the shorter time counts | {'operator':'Exists','tolerationSeconds':7},{'operator':'Exists','tolerationSeconds':5}  | 15
          beside one for ever     | {'operator':'Exists','tolerationSeconds':7},{'operator':'Exists'}                        | 17
          less than no time       | {'operator':'Exists','tolerationSeconds':-5}                                             | 10
          longer than can be told | {'operator':'Exists','tolerationSeconds':100000000000000000}                            | 3153600010
          equal value             | {'key':'k','operator':'Equal','value':'v'}                                               |
          another value           | {'key':'k','operator':'Equal','value':'w'}                                               | 10
          another key             | {'key':'l','operator':'Exists'}                                                          | 10
          another effect          | {'key':'k','operator':'Exists','effect':'NoSchedule'}                                    | 10
          every effect            | {'key':'k','operator':'Exists'}                                                          |
          """)
  void tolerationTellsForHowLongADeviceMayBeUsed(
      String name, @Nullable String tolerations, @Nullable Long end) {
    DeviceClaim claim = claim(result("a", tolerations == null ? "" : tolerations));

    assertThat(end(claim, slice(1, device("a", taint("k", "NoExecute", 10))))).isEqualTo(end);
  }

  @Test
  void earliestEndOfAllDevicesCounts() {
    DeviceClaim claim = claim(result("a", "") + "," + result("b", ""));

    assertThat(
            end(
                claim,
                slice(1, device("a", taint("k", "NoExecute", 40))),
                slice(1, device("b", taint("k", "NoExecute", 30), taint("l", "NoExecute", 20)))))
        .isEqualTo(20);
  }

  @Test
  void otherEffects_andDevicesOfOlderGenerations_doNotEvict() {
    DeviceClaim claim = claim(result("a", ""));
    String evicting = device("a", taint("k", "NoExecute", 0));

    assertThat(end(claim, slice(1, device("a", taint("k", "NoSchedule", 0))))).isNull();
    assertThat(end(claim, slice(1, device("a", taint("k", "None", 0))))).isNull();
    assertThat(end(claim, slice(1, device("b", taint("k", "NoExecute", 0))))).isNull();
    assertThat(end(claim, slice(1, evicting), slice(2, device("a")))).isNull();
    assertThat(end(claim, slice(1, device("a")), slice(2, evicting))).isZero();
    assertThat(end(claim)).isNull();
  }

  @Test
  void claimWithoutAnAllocation_hasNoDevices() {
    DeviceClaim claim = DeviceClaim.of(object("{'metadata':{'name':'c'},'status':{}}"));

    assertThat(claim.devices()).isEmpty();
    assertThat(end(claim, slice(1, device("a", taint("k", "NoExecute", 0))))).isNull();
  }
}
