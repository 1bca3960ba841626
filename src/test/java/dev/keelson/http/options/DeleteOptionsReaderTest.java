package dev.keelson.http.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyReader;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.proto.ProtoSchemas;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class DeleteOptionsReaderTest {

  private final DeleteOptionsReader options =
      new DeleteOptionsReader(
          new BodyReader(new ResourceCatalog(List.of())),
          ProtoSchemas.fromClassPath()
              .struct("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"));

  private static ApiRequest request(String query) {
    return new ApiRequest(
        "DELETE", "/", Query.parse(query), Map.of(), new byte[0], List.of(), "127.0.0.1");
  }

  @Test
  void query_ofADeletion_hasPreconditions() {
    assertThat(options.read(request("uid=u&resourceVersion=7&gracePeriodSeconds=3")).query())
        .isEqualTo(new DeleteQuery("u", "7", 3L, null));
  }

  /** The cases of Kubernetes' ValidateDeleteOptions. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dryRun=All | dryRun",
        "propagationPolicy=Background | propagationPolicy",
        "orphanDependents=true | orphanDependents",
        "gracePeriodSeconds=0 | gracePeriodSeconds",
        "uid=u | preconditions",
        "dryRun=All&gracePeriodSeconds=0&resourceVersion=1 | dryRun gracePeriodSeconds preconditions",
      })
  void unsafeDeletion_isRefused_togetherWithOtherOptions(String others, String named) {
    String unsafe = "ignoreStoreReadErrorWithClusterBreakingPotential";
    assertThat(options.read(request(others + "&" + unsafe + "=false")).sent().has(unsafe)).isTrue();

    ApiException refusal =
        catchThrowableOfType(
            ApiException.class, () -> options.read(request(others + "&" + unsafe + "=true")));

    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
    assertThat(refusal.details().causes())
        .containsExactlyElementsOf(
            Arrays.stream(named.split(" "))
                .map(
                    other ->
                        new FieldCause(
                            "FieldValueInvalid",
                            "Invalid value: true: cannot be set together with ." + other,
                            unsafe))
                .toList());
  }

  @Test
  void unsafeDeletion_byItself_isTaken() {
    assertThat(
            options.read(request("ignoreStoreReadErrorWithClusterBreakingPotential=true")).query())
        .isEqualTo(new DeleteQuery(null, null, null, null));
  }

  @Test
  void query_ofTheDeletionOfACollection_hasTheVersionOfTheList() {
    assertThat(options.readForCollection(request("resourceVersion=7")).query())
        .isEqualTo(new DeleteQuery(null, null, null, null));
  }
}
