package dev.keelson.registry.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.registry.Collection;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.write.DeleteQuery.Propagation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GracefulDeletionTest extends RegistryTest {

  private static final String CONTAINERS = "'containers':[{'name':'c','image':'i'}]";

  GracefulDeletionTest(@TempDir Path directory) {
    super(directory);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // own period, asked period, period that comes of it
        "-, -, 30, 2030-01-02T03:04:35Z",
        "7, -, 7, 2030-01-02T03:04:12Z",
        "7, 100, 100, 2030-01-02T03:05:45Z",
        "7, -3, 1, 2030-01-02T03:04:06Z",
      })
  void delete_ofAScheduledPod_setsItsEnd(
      @Nullable String own, @Nullable Long asked, long seconds, String end) {
    String period = own == null ? "" : "'terminationGracePeriodSeconds':" + own + ",";
    ApiObject pod = pod("'nodeName':'n'," + period, "");

    Deleted deleted = delete(asked, null);

    ApiObject marked = api.served(deleted.object());
    assertThat(deleted.gone()).isFalse();
    assertThat(marked.meta().deletionTimestamp()).isEqualTo(end);
    assertThat(graceSeconds(marked)).isEqualTo(seconds);
    assertThat(marked.meta().generation()).isEqualTo(pod.meta().generation() + 1);
    assertThat(api.get("v1", "pods", "default", "p")).isEqualTo(marked);
  }

  @ParameterizedTest
  @CsvSource({"'', ''", "'''nodeName'':''n'',', Failed", "'''nodeName'':''n'',', Succeeded"})
  void delete_ofAPodThatNobodyRuns_removesIt(String spec, String phase) {
    ApiObject created = pod(spec, phase);

    Deleted deleted = delete(45L, null);

    assertThat(created.meta().deleting()).isFalse();
    assertThat(deleted.gone()).isTrue();
    assertThat(graceSeconds(api.served(deleted.object()))).isZero();
    refusal(Reason.NOT_FOUND, () -> api.get("v1", "pods", "default", "p"));
  }

  @Test
  void delete_again_mayOnlyShortenThePeriod() {
    ApiObject created = pod("'nodeName':'n',", "");
    assertThat(delete(20L, null).gone()).isFalse();

    ApiObject longer = api.served(delete(21L, null).object());
    ApiObject same = api.served(delete(null, null).object());
    ApiObject shorter = api.served(delete(5L, null).object());

    assertThat(graceSeconds(longer)).isEqualTo(20);
    assertThat(same).isEqualTo(longer);
    assertThat(graceSeconds(shorter)).isEqualTo(5);
    assertThat(shorter.meta().deletionTimestamp()).isEqualTo("2030-01-02T03:04:10Z");
    assertThat(shorter.meta().generation()).isEqualTo(created.meta().generation() + 1);
    assertThat(delete(0L, null).gone()).isTrue();
    refusal(Reason.NOT_FOUND, () -> api.get("v1", "pods", "default", "p"));
  }

  @Test
  void delete_withoutGraceOfAPodThatFinalizersHold_waitsForThem() {
    ApiObject created =
        api.create(
            "v1",
            "pods",
            "default",
            "{'metadata':{'name':'p','finalizers':['x.org/a']},'spec':{'nodeName':'n',"
                + CONTAINERS
                + "}}");
    assertThat(created.meta().finalizers()).containsExactly("x.org/a");

    ApiObject marked = api.served(delete(0L, null).object());
    ApiObject released =
        api.replace(
            "v1",
            "pods",
            "default",
            "p",
            marked.withMeta(marked.meta().without("finalizers").without("resourceVersion")));

    assertThat(graceSeconds(marked)).isZero();
    assertThat(released.meta().finalizers()).isEmpty();
    refusal(Reason.NOT_FOUND, () -> api.get("v1", "pods", "default", "p"));
  }

  @Test
  void delete_withAResourceVersion_ofAPodThatGoesAtOnce_removesIt() {
    ApiObject pod = pod("'nodeName':'n',", "");
    DeleteQuery query =
        new DeleteQuery(pod.meta().uid(), pod.meta().resourceVersion()).withGraceSeconds(0);

    assertThat(
            api.registry()
                .delete(api.collection("v1", "pods", "default"), "p", query, WriteOptions.PERSIST)
                .gone())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "apps/v1, deployments, -, ''",
        "apps/v1, deployments, ORPHAN, orphan",
        "apps/v1, deployments, FOREGROUND, foregroundDeletion",
        "apps/v1, deployments, BACKGROUND, ''",
        "extensions/v1beta1, deployments, -, orphan",
        "extensions/v1beta1, deployments, BACKGROUND, ''",
        "extensions/v1beta1, daemonsets, -, orphan",
        "extensions/v1beta1, replicasets, -, orphan",
        "extensions/v1beta1, ingresses, -, ''",
        "v1, replicationcontrollers, -, orphan",
        "batch/v1, jobs, -, orphan",
        "batch/v1, cronjobs, -, ''",
        "batch/v1beta1, cronjobs, -, orphan",
        "v1, events, ORPHAN, ''",
      })
  void delete_leavesTheFinalizerThatItsPolicyNeeds(
      String version, String resource, @Nullable Propagation asked, String finalizer) {
    ApiObject created = api.createSmallest(version, resource, "default", "p");
    assertThat(created.meta().finalizers()).isEmpty();

    Deleted deleted =
        api.registry()
            .delete(
                api.collection(version, resource, "default"),
                created.meta().name(),
                new DeleteQuery(null, null, null, asked),
                WriteOptions.PERSIST);

    assertThat(api.served(deleted.object()).meta().finalizers())
        .isEqualTo(finalizer.isEmpty() ? List.of() : List.of(finalizer));
    assertThat(deleted.gone()).isEqualTo(finalizer.isEmpty());
  }

  @Test
  void delete_keepsTheFinalizerOfAnEarlierOne_unlessItSaysOtherwise() {
    ApiObject created =
        api.create(
            "v1",
            "pods",
            "default",
            "{'metadata':{'name':'p','finalizers':['x.org/a','orphan']},'spec':{"
                + CONTAINERS
                + "}}");
    assertThat(created.meta().finalizers()).hasSize(2);

    ApiObject kept = api.served(delete(null, null).object());
    ApiObject other = api.served(delete(null, Propagation.FOREGROUND).object());
    ApiObject none = api.served(delete(null, Propagation.BACKGROUND).object());

    assertThat(kept.meta().finalizers()).containsExactly("x.org/a", "orphan");
    assertThat(other.meta().finalizers()).containsExactly("x.org/a", "foregroundDeletion");
    assertThat(none.meta().finalizers()).containsExactly("x.org/a");
  }

  @Test
  void delete_ofAJobThatSaysNothingOfItsPods_warns() {
    List<String> warnings = new ArrayList<>();
    ApiObject created = api.createSmallest("batch/v1", "jobs", "default", "p");
    WriteOptions options = new WriteOptions(true, "test", WriteOptions.SERVER, warnings::add);
    Collection jobs = api.collection("batch/v1", "jobs", "default");

    Deleted silent =
        api.registry()
            .delete(jobs, "p", DeleteQuery.UNCONDITIONAL.with(Propagation.BACKGROUND), options);
    assertThat(warnings).isEmpty();
    Deleted warned = api.registry().delete(jobs, "p", DeleteQuery.UNCONDITIONAL, options);

    assertThat(created.meta().name()).isEqualTo("p");
    assertThat(silent.gone()).isTrue();
    assertThat(warned.gone()).isFalse();
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("child pods are preserved by default when jobs are deleted");
  }

  @Test
  void delete_ofANamespace_showsItsPhaseAndNoGracePeriod() {
    Collection namespaces = api.collection("v1", "namespaces", "");

    ApiObject marked =
        api.served(
            api.registry()
                .delete(namespaces, "other", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST)
                .object());
    ApiObject again =
        api.served(
            api.registry()
                .delete(namespaces, "other", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST)
                .object());

    assertThat(marked.meta().deletionTimestamp()).isEqualTo("2030-01-02T03:04:05Z");
    assertThat(marked.meta().node().has("deletionGracePeriodSeconds")).isFalse();
    assertThat(marked.root().map("status").text("phase")).isEqualTo("Terminating");
    assertThat(again).isEqualTo(marked);
  }

  @Test
  void update_ofAnObjectThatIsBeingDeleted_cannotAddFinalizers() {
    ApiObject created =
        api.create(
            "v1", "configmaps", "default", "{'metadata':{'name':'p','finalizers':['x.org/a']}}");
    assertThat(created.meta().finalizers()).hasSize(1);
    ApiObject marked =
        api.served(
            api.registry()
                .delete(
                    api.collection("v1", "configmaps", "default"),
                    "p",
                    DeleteQuery.UNCONDITIONAL,
                    WriteOptions.PERSIST)
                .object());

    assertThat(
            causes(
                () ->
                    api.replace(
                        "v1",
                        "configmaps",
                        "default",
                        "p",
                        marked.withMeta(
                            marked
                                .meta()
                                .with("finalizers", Node.texts(List.of("x.org/a", "x.org/b")))))))
        .containsExactly(
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being"
                + " deleted, found new finalizers []string{\"x.org/b\"}");
  }

  private ApiObject pod(String spec, String phase) {
    ApiObject created =
        api.create(
            "v1",
            "pods",
            "default",
            "{'metadata':{'name':'p'},'spec':{" + spec + CONTAINERS + "}}");
    if (phase.isEmpty()) {
      return created;
    }
    return api.served(
        api.registry()
            .replaceStatus(
                api.collection("v1", "pods", "default"),
                "p",
                created.with(
                    "status",
                    api.object("v1", "pods", "{'status':{'phase':'" + phase + "'}}")
                        .root()
                        .map("status")),
                WriteOptions.PERSIST));
  }

  private Deleted delete(@Nullable Long seconds, @Nullable Propagation propagation) {
    return api.registry()
        .delete(
            api.collection("v1", "pods", "default"),
            "p",
            new DeleteQuery(null, null, seconds, propagation),
            WriteOptions.PERSIST);
  }

  private static long graceSeconds(ApiObject object) {
    return object.meta().node().get("deletionGracePeriodSeconds") instanceof Node.Int seconds
        ? seconds.value()
        : -1;
  }
}
