package dev.keelson.schema.openapi.gnostic;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ProtoBytesTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 120, 126, 127, 128, 16_380, 16_384, 3_000_000})
  void message_nestedTwice_keepsItsBytesWhateverItsLength(int length) throws IOException {
    String text = "x".repeat(length);
    ProtoBytes out = new ProtoBytes();
    out.message(
        1,
        () -> {
          out.message(2, () -> out.presentString(3, text));
          out.presentBool(4, true);
        });
    out.string(5, "after");

    CodedInputStream in = CodedInputStream.newInstance(out.toBytes());
    assertThat(in.readTag()).isEqualTo(1 << 3 | 2);
    CodedInputStream outer = in.readBytes().newCodedInput();
    assertThat(outer.readTag()).isEqualTo(2 << 3 | 2);
    CodedInputStream inner = outer.readBytes().newCodedInput();
    assertThat(inner.readTag()).isEqualTo(3 << 3 | 2);
    assertThat(inner.readString()).isEqualTo(text);
    assertThat(inner.isAtEnd()).isTrue();
    assertThat(outer.readTag()).isEqualTo(4 << 3);
    assertThat(outer.readBool()).isTrue();
    assertThat(outer.isAtEnd()).isTrue();
    assertThat(in.readTag()).isEqualTo(5 << 3 | 2);
    assertThat(in.readString()).isEqualTo("after");
    assertThat(in.isAtEnd()).isTrue();
  }

  @Test
  void zeroValues_outsideOfAlternatives_areNotWritten() {
    ProtoBytes out = new ProtoBytes();
    out.string(1, "");
    out.bool(2, false);

    assertThat(out.toBytes()).isEmpty();
  }

  @Test
  void doubles_written_areLittleEndian() throws IOException {
    ProtoBytes out = new ProtoBytes();
    out.presentDouble(16, -0.5);

    CodedInputStream in = CodedInputStream.newInstance(out.toBytes());
    assertThat(in.readTag()).isEqualTo(16 << 3 | 1);
    assertThat(in.readDouble()).isEqualTo(-0.5);
  }
}
