package dev.keelson.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A plug-in of a key management service: a gRPC server on a Unix socket (k8s.io/kms apis/v2). Its
 * encryption is an exclusive or with a byte of the key. {@link #stop} and {@link #start} let it go
 * away and come back.
 */
public final class KmsPlugin implements AutoCloseable {

  /** The annotation that each ciphertext has and each decryption must bring. */
  public static final String ANNOTATION = "version.kms.example.com";

  private final Path socket;
  private final NioEventLoopGroup loop = new NioEventLoopGroup(1);
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  private volatile String keyId = "key-1";
  private volatile String health = "ok";
  private @Nullable Server server;

  /** A plug-in that does not listen yet. */
  public KmsPlugin(Path socket) {
    this.socket = socket;
  }

  /** A plug-in that listens at {@code socket}. */
  public static KmsPlugin at(Path socket) throws IOException {
    KmsPlugin plugin = new KmsPlugin(socket);
    plugin.start();
    return plugin;
  }

  /** Listens. */
  public void start() throws IOException {
    Files.deleteIfExists(socket);
    server =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder("v2.KeyManagementService")
                    .addMethod(method("Status"), ServerCalls.asyncUnaryCall(this::status))
                    .addMethod(method("Encrypt"), ServerCalls.asyncUnaryCall(this::encrypt))
                    .addMethod(method("Decrypt"), ServerCalls.asyncUnaryCall(this::decrypt))
                    .build())
            .build()
            .start();
  }

  /** Goes away. */
  public void stop() throws InterruptedException, IOException {
    if (server != null) {
      boolean ended = server.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
      server = null;
      if (!ended) {
        throw new IllegalStateException("the plug-in does not end");
      }
    }
    Files.deleteIfExists(socket);
  }

  /** Encrypts with another key from now on; texts of earlier keys are still decrypted. */
  public void rotate(String newKeyId) {
    keyId = newKeyId;
  }

  /** What its status says of its health from now on. */
  public void health(String newHealth) {
    health = newHealth;
  }

  /** How often {@code method}, such as {@code Decrypt}, was called. */
  public int calls(String method) {
    return calls.computeIfAbsent(method, one -> new AtomicInteger()).get();
  }

  /** The endpoint in a configuration. */
  public String endpoint() {
    return "unix://" + socket;
  }

  @Override
  public void close() throws InterruptedException, IOException {
    stop();
    loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS);
  }

  private void called(String method) {
    calls.computeIfAbsent(method, one -> new AtomicInteger()).incrementAndGet();
  }

  private byte[] crypt(byte[] text, String key) {
    byte[] crypted = text.clone();
    byte mask = (byte) (key.hashCode() | 1);
    for (int i = 0; i < crypted.length; i++) {
      crypted[i] ^= mask;
    }
    return crypted;
  }

  private void status(byte[] request, StreamObserver<byte[]> response) {
    called("Status");
    answer(
        response,
        out -> {
          out.writeString(1, "v2");
          out.writeString(2, health);
          out.writeString(3, keyId);
        });
  }

  private void encrypt(byte[] request, StreamObserver<byte[]> response) {
    called("Encrypt");
    String key = keyId;
    Map<Integer, ByteString> fields = fields(request);
    byte[] text = fields.getOrDefault(1, ByteString.EMPTY).toByteArray();
    answer(
        response,
        out -> {
          out.writeByteArray(1, crypt(text, key));
          out.writeString(2, key);
          out.writeBytes(3, annotation());
        });
  }

  private void decrypt(byte[] request, StreamObserver<byte[]> response) {
    called("Decrypt");
    Map<Integer, ByteString> fields = fields(request);
    String key = fields.getOrDefault(3, ByteString.EMPTY).toStringUtf8();
    if (!annotation().equals(fields.get(4))) {
      response.onError(
          Status.INVALID_ARGUMENT.withDescription("no annotation").asRuntimeException());
      return;
    }
    byte[] text = fields.getOrDefault(1, ByteString.EMPTY).toByteArray();
    answer(response, out -> out.writeByteArray(1, crypt(text, key)));
  }

  /** An entry of the map of annotations. */
  private static ByteString annotation() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeString(1, ANNOTATION);
      out.writeByteArray(2, "1".getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.copyFrom(bytes.toByteArray());
  }

  private interface Writer {
    void write(CodedOutputStream out) throws IOException;
  }

  private static void answer(StreamObserver<byte[]> response, Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      writer.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    response.onNext(bytes.toByteArray());
    response.onCompleted();
  }

  /** The fields of a message, all of which have a length. */
  private static Map<Integer, ByteString> fields(byte[] message) {
    Map<Integer, ByteString> fields = new HashMap<>();
    CodedInputStream in = CodedInputStream.newInstance(message);
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        fields.put(tag >>> 3, in.readBytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return fields;
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodType.UNARY)
        .setFullMethodName("v2.KeyManagementService/" + name)
        .setRequestMarshaller(new Raw())
        .setResponseMarshaller(new Raw())
        .build();
  }

  private static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
