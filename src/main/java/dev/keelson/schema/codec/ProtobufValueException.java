package dev.keelson.schema.codec;

/** A stored value is in Kubernetes' protobuf envelope, which is recognised but not read. */
public final class ProtobufValueException extends DecodeException {

  private static final long serialVersionUID = 1L;

  ProtobufValueException() {
    super(
        Fault.ENCODING,
        "the stored value is protobuf as kube-apiserver writes it, which is not supported yet;"
            + " store objects as JSON (kube-apiserver --storage-media-type=application/json)");
  }
}
