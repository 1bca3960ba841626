package dev.keelson.storage.encryption.kms;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.encryption.TransformationException;
import java.io.IOException;
import java.util.Map;

/**
 * What is stored after the prefix of the provider (apiserver
 * pkg/storage/value/encrypt/envelope/kmsv2/v2, EncryptedObject).
 *
 * @param data the encrypted value
 * @param source the encrypted seed or key, and what the service needs to decrypt it
 * @param sourceType {@link #KEY} or {@link #SEED}
 */
record EncryptedObject(Bytes data, KeyService.Encrypted source, int sourceType) {

  /** The source is an AES key, as the beta versions wrote it; read only. */
  static final int KEY = 0;

  /** The source is a seed, as {@link dev.keelson.storage.encryption.DerivedKeys} uses it. */
  static final int SEED = 1;

  private static final int MOST_SOURCE_BYTES = 1024;
  private static final int MOST_KEY_ID_BYTES = 1024;
  private static final int MOST_ANNOTATION_BYTES = 32 * 1024;

  /**
   * Reads a stored object.
   *
   * @throws TransformationException if it is damaged or not allowed
   */
  static EncryptedObject decode(Bytes stored) {
    Bytes data = Bytes.EMPTY;
    String keyId = "";
    Bytes source = Bytes.EMPTY;
    Annotations annotations = new Annotations();
    int type = KEY;
    try {
      CodedInputStream in =
          CodedInputStream.newInstance(stored.backing(), stored.offset(), stored.length());
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag) {
          case 1 << 3 | 2 -> data = Bytes.wrap(in.readByteArray());
          case 2 << 3 | 2 -> keyId = in.readStringRequireUtf8();
          case 3 << 3 | 2 -> source = Bytes.wrap(in.readByteArray());
          case 4 << 3 | 2 -> annotations.read(in);
          case 5 << 3 -> type = in.readEnum();
          default -> {
            if (!in.skipField(tag)) {
              throw new TransformationException("proto: cannot parse invalid wire-format data");
            }
          }
        }
      }
    } catch (IOException e) {
      throw new TransformationException(
          "proto: cannot parse invalid wire-format data", TransformationException.LOCAL, e);
    }
    EncryptedObject object =
        new EncryptedObject(
            data, new KeyService.Encrypted(source, keyId, annotations.values()), type);
    object.validate();
    return object;
  }

  /** The bytes to store. */
  Bytes encode() {
    Map<String, Bytes> annotations = source.annotations();
    Bytes ciphertext = source.ciphertext();
    int size =
        Fields.size(1, data)
            + CodedOutputStream.computeStringSize(2, source.keyId())
            + Fields.size(3, ciphertext)
            + Annotations.size(4, annotations)
            + (sourceType == KEY ? 0 : CodedOutputStream.computeEnumSize(5, sourceType));
    return Fields.encode(
        size,
        out -> {
          Fields.write(out, 1, data);
          out.writeString(2, source.keyId());
          Fields.write(out, 3, ciphertext);
          Annotations.write(out, 4, annotations);
          if (sourceType != KEY) {
            out.writeEnum(5, sourceType);
          }
        });
  }

  /**
   * Checks the limits, in kube-apiserver's words.
   *
   * @throws TransformationException if a part is missing or too long
   */
  private void validate() {
    if (sourceType != KEY && sourceType != SEED) {
      throw new TransformationException("unknown encryptedDEKSourceType: " + sourceType);
    }
    if (data.isEmpty()) {
      throw new TransformationException("encrypted data is empty");
    }
    validate(source);
  }

  /**
   * Checks the response of a service to the same limits.
   *
   * @throws TransformationException if a part is missing or too long
   */
  static void validate(KeyService.Encrypted source) {
    int length = source.ciphertext().length();
    if (length == 0) {
      throw new TransformationException(
          "failed to validate encrypted DEK source: encrypted DEK source is empty");
    }
    if (length > MOST_SOURCE_BYTES) {
      throw new TransformationException(
          "failed to validate encrypted DEK source: encrypted DEK source is %d bytes, which exceeds"
                  .formatted(length)
              + " the max size of "
              + MOST_SOURCE_BYTES);
    }
    String keyId = keyIdError(source.keyId());
    if (!keyId.isEmpty()) {
      throw new TransformationException("failed to validate key id: " + keyId);
    }
    int size = 0;
    for (Map.Entry<String, Bytes> annotation : source.annotations().entrySet()) {
      String error = Annotations.nameError(annotation.getKey());
      if (!error.isEmpty()) {
        throw new TransformationException("failed to validate annotations: " + error);
      }
      size += Fields.utf8(annotation.getKey()) + annotation.getValue().length();
    }
    if (size > MOST_ANNOTATION_BYTES) {
      throw new TransformationException(
          "failed to validate annotations: total size of annotations is %d, which exceeds the max"
                  .formatted(size)
              + " size of "
              + MOST_ANNOTATION_BYTES);
    }
  }

  /** What is wrong with a key id; empty if nothing is. */
  static String keyIdError(String keyId) {
    int length = Fields.utf8(keyId);
    if (length == 0) {
      return "keyID is empty";
    }
    return length > MOST_KEY_ID_BYTES
        ? "keyID is %d bytes, which exceeds the max size of %d".formatted(length, MOST_KEY_ID_BYTES)
        : "";
  }
}
