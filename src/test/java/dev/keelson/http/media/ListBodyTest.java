package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.Body;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.storage.Bytes;
import dev.keelson.work.Turn;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A list without an end, whose elements take no room, ends when its client has gone. */
@Timeout(60)
class ListBodyTest {

  private static final MapNode HEAD = MapNode.of("kind", Node.text("List"));

  private static Iterator<StoredObject> endless() {
    ResourceDefinition any =
        BuiltInResources.all(ProtoSchemas.fromClassPath()::struct).iterator().next();
    StoredObject object = new StoredObject(any, Bytes.EMPTY, 1, null);
    return Stream.generate(() -> object).iterator();
  }

  private static void assertEnds(Function<Iterator<StoredObject>, Body> list) {
    Iterator<StoredObject> objects = endless();
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> Turn.run(() -> true, () -> list.apply(objects)))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
  }

  @Test
  void elementsThatAreEncoded() {
    assertEnds(
        objects ->
            ListBody.json(
                HEAD,
                "items",
                objects,
                (object, out) -> assertThat(object.revision()).isPositive()));
  }

  @Test
  void lengthsOfProtobuf() {
    assertEnds(objects -> ProtobufListBody.of(_ -> new byte[0], objects, _ -> new byte[0]));
  }

  @Test
  void secondPassOfProtobuf() throws Exception {
    byte[] item = new byte[64];
    Iterator<StoredObject> objects = endless();
    List<StoredObject> many =
        Stream.generate(objects::next).limit(ProtobufListBody.MOST_HELD / item.length + 1).toList();
    Body body = ProtobufListBody.of(_ -> new byte[0], many.iterator(), _ -> item);
    assertThat(body).isInstanceOf(Body.Streamed.class);

    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(
            () ->
                Turn.perform(
                    () -> true,
                    () ->
                        ((Body.Streamed) body)
                            .writeTo(part -> assertThat(part.length()).isPositive())));
  }

  /** Sizes around every limit, so that pieces are copied, passed on and cut into parts. */
  @Test
  void pieces_comeInOrder_theSmallOnesTogether() throws Exception {
    int[] sizes = {1, 300, 1023, 1024, 1025, 0, 5000, 17, 70_000, 1024, 1, 40_000};
    int count = 1000;
    Iterator<StoredObject> all = endless();
    Iterator<StoredObject> objects = Stream.generate(all::next).limit(count).iterator();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    expected.writeBytes("{\"kind\":\"List\",\"items\":[".getBytes(StandardCharsets.US_ASCII));
    AtomicInteger next = new AtomicInteger();
    Body body =
        ListBody.json(
            HEAD,
            "items",
            objects,
            (_, out) -> {
              int i = next.getAndIncrement();
              if (i > 0) {
                expected.write(',');
              }
              for (int piece = 0; piece < 3; piece++) {
                byte[] bytes = new byte[sizes[(i + piece) % sizes.length]];
                Arrays.fill(bytes, (byte) ('a' + (i + piece) % 26));
                expected.writeBytes(bytes);
                JsonForm.add(out, bytes);
              }
            });
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    AtomicInteger slices = new AtomicInteger();
    ((Body.Streamed) body)
        .writeTo(
            part -> {
              slices.addAndGet(part.slices().size());
              sent.writeBytes(part.toByteArray());
            });
    expected.writeBytes("]}\n".getBytes(StandardCharsets.US_ASCII));

    assertThat(next).hasValue(count);
    assertThat(sent.toByteArray()).isEqualTo(expected.toByteArray());
    // a third of the pieces is large; a separator and two small ones in between are one slice
    assertThat(slices).hasValueLessThan(5 * count / 2);
  }
}
