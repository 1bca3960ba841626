package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.Body.Payload;
import dev.keelson.http.media.View.IncludeObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.SampleObjects;
import dev.keelson.schema.codec.json.Excerpt;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.stored.StoredForm.Medium;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.storage.Bytes;
import dev.keelson.testing.LocalApi;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows and metadata of every kind that are made from stored bytes are those made over a tree. */
@Timeout(120)
class ShownPartsTest {

  private static final String META = "meta.k8s.io/v1";
  private static final int SAMPLES = 6;

  private final LocalApi api;
  private final MetaSchemas schemas = MetaSchemas.of(ProtoSchemas.fromClassPath()::struct);
  private final ObjectViews views;
  private final JsonForm json;

  ShownPartsTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    views = new ObjectViews(api.registry(), schemas, api.clock());
    json = new JsonForm(api.registry(), api.codec());
  }

  @AfterEach
  void close() {
    api.close();
  }

  /** Stored objects of every resource: one with everything, others with a random choice. */
  private Stream<StoredObject> objects(Medium medium) {
    return api.catalog().snapshot().all().stream()
        .filter(definition -> definition.storage() != null)
        .flatMap(definition -> objects(definition, medium));
  }

  private static Stream<StoredObject> objects(ResourceDefinition definition, Medium medium) {
    StoredType type = Objects.requireNonNull(definition.storage());
    String version = type.kind().apiVersion();
    String kind = type.kind().kind();
    List<MapNode> samples = new ArrayList<>();
    samples.add(SampleObjects.fill(type.schema(), version, kind));
    Random random = new Random(definition.gvr().hashCode());
    for (int i = 0; i < SAMPLES; i++) {
      samples.add(SampleObjects.random(type.schema(), version, kind, random));
    }
    return samples.stream()
        .map(
            sample ->
                new StoredObject(
                    definition,
                    inside(StoredForm.encode(sample, type.schema(), medium)),
                    4711,
                    null));
  }

  /** The bytes in the midst of others, as in a slab. */
  private static Bytes inside(byte[] stored) {
    byte[] slab = new byte[stored.length + 14];
    Arrays.fill(slab, (byte) '"');
    System.arraycopy(stored, 0, slab, 7, stored.length);
    return Bytes.wrap(slab, 7, stored.length);
  }

  private static String text(ListBody.Element element, StoredObject object) {
    List<Payload.Slice> out = new ArrayList<>();
    element.add(object, out);
    return new String(new Payload(out).toByteArray(), StandardCharsets.UTF_8);
  }

  private static String text(MapNode tree) {
    return new String(ObjectWriter.json(tree), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void metadata_isThatOfTheTree(Medium medium) {
    assertThat(objects(medium))
        .hasSizeGreaterThan(100)
        .allSatisfy(
            object ->
                assertThat(text(new MetadataForm(views, object.definition(), META)::add, object))
                    .isEqualTo(text(views.metadata(object, META))));
  }

  @ParameterizedTest
  @EnumSource(Medium.class)
  void metadataInProtobuf_isThatOfTheTree(Medium medium) {
    assertThat(objects(medium))
        .allSatisfy(
            object ->
                assertThat(
                        new MetadataWire(views, object.definition(), META, schemas.partial())
                            .item(object))
                    .isEqualTo(ProtobufList.item(views.metadata(object, META), schemas.partial())));
  }

  @ParameterizedTest
  @EnumSource(IncludeObject.class)
  void row_isThatOfTheTree(IncludeObject include) {
    EncodedForms<RowForm.Shown> cells = new EncodedForms<>(1L << 30, RowForm.Shown::size);
    assertThat(Stream.of(Medium.values()).flatMap(this::objects))
        .hasSizeGreaterThan(200)
        .allSatisfy(
            object -> {
              RowForm form =
                  new RowForm(
                      views,
                      json,
                      object.definition(),
                      new View.Table(META),
                      include,
                      api.clock(),
                      cells);
              // the third one is made of cached cells
              for (int i = 0; i < 3; i++) {
                assertThat(text(form::add, object))
                    .isEqualTo(text(views.row(object, META, include)));
              }
            });
    assertThat(cells.used()).isPositive();
  }

  /** No kind that is stored in JSON takes the way over a tree. */
  @ParameterizedTest
  @EnumSource(value = Medium.class, names = "JSON")
  void everyKind_isReadInPart(Medium medium) {
    assertThat(objects(medium))
        .allSatisfy(
            object -> {
              assertThat(new MetadataForm(views, object.definition(), META).cut(object))
                  .isNotNull();
              Bytes value = object.value();
              assertThat(
                      Excerpt.of(ObjectViews.table(object.definition()).fields())
                          .read(value.backing(), value.offset(), value.end()))
                  .isNotNull();
            });
  }
}
