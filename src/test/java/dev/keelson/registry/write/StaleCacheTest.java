package dev.keelson.registry.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.DocumentPatch;
import dev.keelson.registry.ObjectPatch;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.WriteOptions;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.patch.MergePatch;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.WriteOutcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes that start from the watch cache while it is behind the store, or is not. */
class StaleCacheTest extends RegistryTest {

  private static final String NAME = "a";

  private ApiObject first = new ApiObject(MapNode.EMPTY);

  StaleCacheTest(@TempDir Path directory) {
    super(directory);
  }

  /** The cache knows the object; what happens from here on it does not learn. */
  @BeforeEach
  void holdTheCacheBack() {
    ApiObject created =
        api.create("v1", "configmaps", "default", "{'metadata':{'name':'a'},'data':{'k':'1'}}");
    first = api.get("v1", "configmaps", "default", NAME);
    assertThat(first).isEqualTo(created);
    api.store().holdFeeds();
  }

  @AfterEach
  void release() {
    api.store().releaseFeeds();
  }

  @Test
  void change_ofWhatTheCacheHas_asksTheStoreOnce() {
    api.store().failReads(1);

    ApiObject patched = patch("{'data':{'n':'2'}}");

    assertThat(data(patched, "n")).isEqualTo("2");
  }

  @Test
  void delete_ofWhatTheCacheHas_asksTheStoreOnce() {
    api.store().failReads(1);

    assertThat(delete(DeleteQuery.UNCONDITIONAL).gone()).isTrue();
  }

  @Test
  void changeAfterAChange_startsFromIt() {
    ApiObject one = patch("{'data':{'k':'2'}}");

    ApiObject two = replace(one, "3");

    assertThat(data(two, "k")).isEqualTo("3");
  }

  @Test
  void patch_startsFromWhatOthersWrote() {
    long unused = othersWrite("2");

    ApiObject patched = patch("{'data':{'n':'x'}}");

    assertThat(data(patched, "k")).isEqualTo("2");
    assertThat(data(patched, "n")).isEqualTo("x");
  }

  @Test
  void replace_atTheRevisionOfAnother_isStored() {
    String revision = Long.toString(othersWrite("2"));

    ApiObject replaced =
        replace(first.withMeta(first.meta().withText("resourceVersion", revision)), "3");

    assertThat(data(replaced, "k")).isEqualTo("3");
  }

  @Test
  void replace_atTheRevisionOfTheCache_conflicts() {
    long unused = othersWrite("2");

    assertThat(refusal(Reason.CONFLICT, () -> replace(first, "3")))
        .hasMessageContaining("the object has been modified");
    assertThat(data(api.get("v1", "configmaps", "default", "a"), "k")).isEqualTo("2");
  }

  @Test
  void replace_withWhatTheCacheHas_isAChangeOfWhatOthersWrote() {
    long revision = othersWrite("2");

    ApiObject replaced = replace(first.withMeta(first.meta().without("resourceVersion")), "1");

    assertThat(data(replaced, "k")).isEqualTo("1");
    assertThat(Long.parseLong(replaced.meta().resourceVersion())).isGreaterThan(revision);
  }

  @Test
  void change_ofWhatOthersRemoved_findsNothing() {
    othersRemove();

    assertThat(refusal(Reason.NOT_FOUND, () -> patch("{'data':{'n':'2'}}")))
        .hasMessageContaining("not found");
    assertThat(refusal(Reason.NOT_FOUND, () -> delete(DeleteQuery.UNCONDITIONAL)))
        .hasMessageContaining("not found");
  }

  @Test
  void delete_atTheRevisionOfAnother_removes() {
    String revision = Long.toString(othersWrite("2"));

    assertThat(refusal(Reason.CONFLICT, () -> delete(new DeleteQuery(null, "1"))))
        .hasMessageContaining("ResourceVersion");
    assertThat(delete(new DeleteQuery(null, revision)).gone()).isTrue();
  }

  @Test
  void delete_honoursFinalizersThatOthersAdded() {
    long unused =
        othersWrite(first.withMeta(first.meta().with("finalizers", Node.texts(List.of("x.y/z")))));

    assertThat(delete(DeleteQuery.UNCONDITIONAL).gone()).isFalse();
  }

  @Test
  void dryRun_showsWhatOthersWrote() {
    long unused = othersWrite("2");

    ApiObject shown = patch("{'data':{'n':'x'}}", WriteOptions.DRY_RUN);

    assertThat(data(shown, "k")).isEqualTo("2");
  }

  private Collection maps() {
    return api.collection("v1", "configmaps", "default");
  }

  private ApiObject patch(String json) {
    return patch(json, WriteOptions.PERSIST);
  }

  private ApiObject patch(String json, WriteOptions options) {
    Node document =
        ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    ObjectPatch patch =
        new DocumentPatch(
            MergePatch.of(document),
            List.of(),
            maps().definition(),
            FieldValidation.STRICT,
            warning -> {});
    return api.served(api.registry().patch(maps(), NAME, patch, options).object());
  }

  private ApiObject replace(ApiObject object, String value) {
    return api.replace("v1", "configmaps", "default", NAME, withData(object, value));
  }

  private Deleted delete(DeleteQuery query) {
    return api.registry().delete(maps(), NAME, query, WriteOptions.PERSIST);
  }

  private static ApiObject withData(ApiObject object, String value) {
    return object.with("data", object.root().map("data").with("k", Node.text(value)));
  }

  private static String data(ApiObject object, String key) {
    return object.root().map("data").text(key);
  }

  /** Writes past the cache, as another server does; returns the new revision. */
  private long othersWrite(String value) {
    return othersWrite(withData(first, value));
  }

  private long othersWrite(ApiObject object) {
    StoredType type = maps().type();
    Bytes value = api.codec().encode(type, object);
    WriteOutcome outcome =
        api.objects().replace(type, "default", NAME, value, stored().modRevision());
    if (outcome instanceof WriteOutcome.Applied(long revision)) {
      return revision;
    }
    throw new AssertionError(outcome);
  }

  private void othersRemove() {
    assertThat(api.objects().delete(maps().type(), "default", NAME, stored().modRevision()))
        .isInstanceOf(WriteOutcome.Applied.class);
  }

  private Entry stored() {
    return Objects.requireNonNull(api.objects().get(maps().type(), "default", NAME).entry());
  }
}
