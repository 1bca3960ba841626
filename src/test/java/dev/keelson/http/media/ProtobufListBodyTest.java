package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.storage.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProtobufListBodyTest {

  private static final int ITEM = 50_000;

  @Test
  void shortList_isMadeAtOnce() throws Exception {
    Body body = body(10, ProtobufListBodyTest::bytes);
    assertThat(body).isInstanceOf(Payload.class);
    assertThat(sent(body)).isEqualTo(expected(10));
  }

  @Test
  void longList_isSentInParts_withItsLengthFirst() throws Exception {
    int count = ProtobufListBody.MOST_HELD / ITEM + 7;
    Body body = body(count, ProtobufListBodyTest::bytes);
    assertThat(body).isInstanceOf(Body.Streamed.class);
    assertThat(sent(body)).isEqualTo(expected(count));
  }

  @Test
  void longList_whoseItemsChange_isBrokenOff() {
    int count = ProtobufListBody.MOST_HELD / ITEM + 7;
    int[] asked = {0};
    Body body =
        body(
            count,
            object -> {
              byte[] bytes = bytes(object);
              return ++asked[0] == count + 1 ? Arrays.copyOf(bytes, ITEM - 1) : bytes;
            });
    assertThatThrownBy(() -> sent(body)).isInstanceOf(IllegalStateException.class);
  }

  private static Body body(int count, Function<StoredObject, byte[]> item) {
    ResourceDefinition any =
        BuiltInResources.all(ProtoSchemas.fromClassPath()::struct).iterator().next();
    List<StoredObject> objects = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      objects.add(new StoredObject(any, Bytes.EMPTY, i + 1, null));
    }
    return ProtobufListBody.of(ProtobufListBodyTest::head, objects.iterator(), item);
  }

  private static byte[] head(long length) {
    return ByteBuffer.allocate(Long.BYTES).putLong(length).array();
  }

  private static byte[] bytes(StoredObject object) {
    byte[] bytes = new byte[ITEM];
    Arrays.fill(bytes, (byte) object.revision());
    return bytes;
  }

  private static byte[] expected(int count) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(head((long) count * ITEM));
    IntStream.rangeClosed(1, count)
        .forEach(
            revision -> {
              byte[] bytes = new byte[ITEM];
              Arrays.fill(bytes, (byte) revision);
              all.writeBytes(bytes);
            });
    all.writeBytes(ProtobufList.tail());
    return all.toByteArray();
  }

  private static byte[] sent(Body body) throws InterruptedException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    switch (body) {
      case Payload payload -> all.writeBytes(payload.toByteArray());
      case Body.Streamed streamed -> streamed.writeTo(part -> all.writeBytes(part.toByteArray()));
      case Body.LongRunning _, Body.Relayed _, Body.Upgraded _ ->
          throw new AssertionError("a list never goes on: " + body);
    }
    return all.toByteArray();
  }
}
