package dev.keelson.controller.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VolumeMatchTest {

  private static VolumeFacts volume(String name, String size, String modes, String more) {
    return VolumeFacts.of(
        new ApiObject(
            CustomTypes.tree(
                "{'metadata':{'name':'%s','labels':{'tier':'%s'}},'spec':{'capacity':{'storage':'%s'},"
                        .formatted(name, name, size)
                    + "'accessModes':%s%s},'status':{'phase':'Available'}}"
                        .formatted(modes, more))));
  }

  private static ClaimState claim(String size, String modes, String more) {
    return ClaimState.of(
        new ApiObject(
            CustomTypes.tree(
                "{'metadata':{'namespace':'default','name':'data','uid':'u'},'spec':{'resources':{"
                    + "'requests':{'storage':'%s'}},'accessModes':%s%s}}"
                        .formatted(size, modes, more))));
  }

  private static String best(ClaimState claim, VolumeFacts... volumes) {
    List<VolumeFacts> given = new ArrayList<>(Arrays.asList(volumes));
    Optional<VolumeFacts> found = VolumeMatch.best(claim, given, _ -> true);
    assertThat(VolumeMatch.best(claim, given.reversed(), _ -> true)).isEqualTo(found);
    return found.map(VolumeFacts::name).orElse("");
  }

  @Test
  void smallestVolumeThatFits_isChosen() {
    ClaimState claim = claim("5Gi", "['ReadWriteOnce']", "");

    assertThat(
            best(
                claim,
                volume("large", "100Gi", "['ReadWriteOnce']", ""),
                volume("fit", "5120Mi", "['ReadWriteOnce']", ""),
                volume("small", "1Gi", "['ReadWriteOnce']", "")))
        .isEqualTo("fit");
    assertThat(best(claim, volume("small", "1Gi", "['ReadWriteOnce']", ""))).isEmpty();
  }

  @Test
  void volumesWithFewerAccessModes_comeFirst() {
    assertThat(
            best(
                claim("1Gi", "['ReadWriteOnce']", ""),
                volume("many", "1Gi", "['ReadWriteOnce','ReadWriteMany']", ""),
                volume("one", "10Gi", "['ReadWriteOnce']", ""),
                volume("other", "1Gi", "['ReadOnlyMany']", "")))
        .isEqualTo("one");
    assertThat(
            best(
                claim("1Gi", "['ReadWriteMany','ReadWriteOnce']", ""),
                volume("many", "1Gi", "['ReadWriteOnce','ReadWriteMany']", ""),
                volume("one", "10Gi", "['ReadWriteOnce']", "")))
        .isEqualTo("many");
  }

  @Test
  void reservedVolume_isPreferredAndThatOfOthersLeft() {
    String mine = ",'claimRef':{'namespace':'default','name':'data'}";
    String others = ",'claimRef':{'namespace':'default','name':'other'}";
    String earlier = ",'claimRef':{'namespace':'default','name':'data','uid':'gone'}";

    assertThat(
            best(
                claim("1Gi", "['ReadWriteOnce']", ""),
                volume("fit", "1Gi", "['ReadWriteOnce']", ""),
                volume("mine", "50Gi", "['ReadWriteOnce']", mine)))
        .isEqualTo("mine");
    assertThat(
            best(
                claim("1Gi", "['ReadWriteOnce']", ""),
                volume("others", "1Gi", "['ReadWriteOnce']", others),
                volume("earlier", "1Gi", "['ReadWriteOnce']", earlier)))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ",'storageClassName':'fast' | '' | false",
        ",'storageClassName':'fast' | ,'storageClassName':'fast' | true",
        ",'storageClassName':'fast' | ,'storageClassName':'slow' | false",
        ",'volumeMode':'Block' | '' | false",
        ",'volumeMode':'Block' | ,'volumeMode':'Block' | true",
        "'' | ,'volumeMode':'Filesystem' | true",
        ",'volumeAttributesClassName':'gold' | '' | false",
        "'' | ,'selector':{'matchLabels':{'tier':'a'}} | true",
        "'' | ,'selector':{'matchLabels':{'tier':'b'}} | false",
        "'' | ,'selector':{'matchExpressions':[{'key':'tier','operator':'NotIn','values':['a']}]} |"
            + " false",
      })
  void kind_mustBeTheSame(String volume, String claim, boolean fits) {
    assertThat(
            best(
                claim("1Gi", "['ReadWriteOnce']", claim),
                volume("a", "1Gi", "['ReadWriteOnce']", volume)))
        .isEqualTo(fits ? "a" : "");
  }

  @Test
  void claimThatWaitsForItsConsumer_takesReservedVolumesOnly() {
    VolumeFacts free = volume("free", "1Gi", "['ReadWriteOnce']", "");
    VolumeFacts mine =
        volume(
            "mine",
            "1Gi",
            "['ReadWriteOnce']",
            ",'claimRef':{'namespace':'default','name':'data'}");
    ClaimState claim = claim("1Gi", "['ReadWriteOnce']", "");

    assertThat(VolumeMatch.best(claim, List.of(free), _ -> false)).isEmpty();
    assertThat(VolumeMatch.best(claim, List.of(free, mine), _ -> false)).contains(mine);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1Gi | ['ReadWriteOnce'] | '' | ''",
        "9Gi | ['ReadWriteOnce'] | '' | requested PV is too small",
        "1Gi | ['ReadWriteOnce'] | ,'storageClassName':'x' | storageClassName does not match",
        "1Gi | ['ReadWriteOnce'] | ,'volumeMode':'Block' | incompatible volumeMode",
        "1Gi | ['ReadWriteMany'] | '' | incompatible accessMode",
        "1Gi | ['ReadWriteOnce'] | ,'volumeAttributesClassName':'x' | volumeAttributesClassName"
            + " does not match",
      })
  void mismatch_isNamed(String size, String modes, String more, String message) {
    assertThat(
            VolumeMatch.mismatch(
                claim(size, modes, more), volume("a", "5Gi", "['ReadWriteOnce']", "")))
        .isEqualTo(message);
  }
}
