package dev.keelson.storage.encryption.kms;

import dev.keelson.storage.Bytes;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Passes messages as bytes. */
enum BytesMarshaller implements Marshaller<Bytes> {
  INSTANCE;

  @Override
  public InputStream stream(Bytes value) {
    return new ByteArrayInputStream(value.backing(), value.offset(), value.length());
  }

  @Override
  public Bytes parse(InputStream stream) {
    try {
      return Bytes.wrap(stream.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
