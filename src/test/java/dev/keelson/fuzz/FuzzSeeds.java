package dev.keelson.fuzz;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.SampleObjects;
import dev.keelson.schema.codec.tree.FieldValidation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.ZipInputStream;

/**
 * What fuzzing begins with: small sound inputs, and those that earlier runs found worth keeping.
 */
final class FuzzSeeds {

  private static final int OBJECTS = 60;

  private static final List<String> REQUESTS =
      List.of(
          "application/json\napplication/json\n\nkubectl\n{\"data\":{\"a\":\"b\"}}",
          "application/json;as=Table;v=v1;g=meta.k8s.io,application/json\n"
              + "application/json;charset=utf-8\n"
              + "pretty=1&fieldValidation=Strict\n"
              + "curl/8\n"
              + "{\"x\":1}",
          "application/vnd.kubernetes.protobuf;stream=watch;q=0.9, */*;q=0.1\t*\n"
              + "application/vnd.kubernetes.protobuf\nfieldValidation=Warn\n\nk8s\0\n\4\n\2v1\22\0",
          "application/yaml;q=1.0\napplication/yaml\npretty=%74rue\n\ndata: {a: b}",
          "application/json;q=0,application/*;sv=v1;stream=\"watch\"\napplication/cbor\n\n\n");

  private static final List<String> PATCHES =
      List.of(
          "\0[{\"op\":\"add\",\"path\":\"/spec/containers/-\",\"value\":{\"name\":\"x\"}},"
              + "{\"op\":\"move\",\"from\":\"/metadata/labels\",\"path\":\"/metadata/annotations\"}]",
          "\0[{\"op\":\"test\",\"path\":\"/metadata/name\",\"value\":\"p\"},{\"op\":\"copy\","
              + "\"from\":\"/spec/containers/0\",\"path\":\"/spec/containers/-1\"},"
              + "{\"op\":\"remove\",\"path\":\"/metadata/finalizers/0\"},"
              + "{\"op\":\"replace\",\"path\":\"/metadata/labels/a~1b\",\"value\":null}]",
          "\1{\"metadata\":{\"labels\":{\"a\":null,\"b\":\"c\"}},\"spec\":{\"volumes\":[]}}",
          "\2{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"j\",\"env\":[{\"name\":\"e\","
              + "\"$patch\":\"delete\"}]}],\"$setElementOrder/containers\":[{\"name\":\"c\"}]}}",
          "\2{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"x\"],"
              + "\"$retainKeys\":[\"name\"]},\"spec\":{\"volumes\":[{\"$patch\":\"replace\"}]}}");

  private static final List<String> TEXTS =
      List.of(
          "a=b,c!=d,e in (f,g),h notin (i),!j,k,n>3,m<9",
          "example.com/a==b",
          "metadata.name=a\\,b,status.phase!=Running",
          "labelSelector=a%20in%20(b%2Cc)&fieldSelector=metadata.name%3Dx&&limit=5");

  private final List<byte[]> seeds = new ArrayList<>();
  private final Random random = new Random(5);

  private FuzzSeeds() {}

  /** The inputs that a run of {@code target} begins with. */
  static List<byte[]> of(FuzzTarget target) {
    FuzzSeeds seeds = new FuzzSeeds();
    switch (target) {
      case JSON, YAML, PROTOBUF, STORED -> seeds.objects(target);
      case NEGOTIATION -> seeds.texts(REQUESTS);
      case PATCH -> seeds.texts(PATCHES);
      case TEXTS -> seeds.texts(TEXTS);
    }
    seeds.seeds.addAll(kept(target));
    return seeds.seeds;
  }

  /** The inputs that earlier runs found, and the sources keep. */
  static List<byte[]> kept(FuzzTarget target) {
    String name = "/fuzz/" + target.name().toLowerCase(Locale.ROOT) + ".zip";
    try (InputStream file = FuzzSeeds.class.getResourceAsStream(name)) {
      List<byte[]> kept = new ArrayList<>();
      if (file != null) {
        ZipInputStream zip = new ZipInputStream(file);
        while (zip.getNextEntry() != null) {
          kept.add(zip.readAllBytes());
        }
      }
      return kept;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void texts(List<String> texts) {
    texts.forEach(text -> seeds.add(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private void objects(FuzzTarget target) {
    for (int i = 0; i < OBJECTS; i++) {
      int type = i % DecoderInput.TYPES.size();
      boolean pods = target == FuzzTarget.STORED;
      StructSchema schema = DecoderInput.TYPES.get(pods ? 0 : type);
      MapNode whole = SampleObjects.random(schema, "v1", schema.shortName(), random);
      MapNode part = (MapNode) part(whole);
      for (int tries = 0;
          tries < 20 && ObjectWriter.json(part).length > target.longest();
          tries++) {
        part = (MapNode) part(part);
      }
      MapNode object =
          ObjectReader.tree(
                  part.with("kind", Node.text(schema.shortName()))
                      .with("apiVersion", Node.text("v1")),
                  schema,
                  FieldValidation.IGNORE)
              .root();
      ByteArrayOutputStream seed = new ByteArrayOutputStream();
      if (!pods) {
        seed.write(type + (i % 5 == 0 && target != FuzzTarget.PROTOBUF ? 252 : 0));
      }
      seed.writeBytes(
          switch (target) {
            case YAML -> ObjectWriter.yaml(object);
            case PROTOBUF -> ObjectWriter.protobuf(object, schema);
            case STORED ->
                i % 2 == 0 ? ObjectWriter.json(object) : ObjectWriter.protobuf(object, schema);
            default -> ObjectWriter.json(object);
          });
      seeds.add(seed.toByteArray());
    }
  }

  /** The same with half of the members left out. */
  private Node part(Node node) {
    return switch (node) {
      case MapNode map -> {
        MapNode.Builder some = MapNode.builder(map.size());
        for (int i = 0; i < map.size(); i++) {
          if (random.nextBoolean()) {
            some.put(map.keyAt(i), part(map.valueAt(i)));
          }
        }
        yield some.build();
      }
      case Node.Items items -> new Node.Items(items.values().stream().map(this::part).toList());
      default -> node;
    };
  }
}
