package dev.keelson.storage.encryption.kms;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.encryption.TransformationException;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A key management service by gRPC on a Unix socket. Safe for use by several threads.
 *
 * <p>The sockets are the JDK's, by Netty's channel for them: they need no native library. The
 * messages are three or four fields each and encoded by hand, so that there is no generated code.
 */
public final class GrpcKeyService implements KeyService {

  private static final String SERVICE = "v2.KeyManagementService";

  private static final MethodDescriptor<Bytes, Bytes> STATUS = method("Status");
  private static final MethodDescriptor<Bytes, Bytes> ENCRYPT = method("Encrypt");
  private static final MethodDescriptor<Bytes, Bytes> DECRYPT = method("Decrypt");

  private final String provider;
  private final Duration timeout;
  private final KmsListener listener;
  private final NioEventLoopGroup loop;
  private final ManagedChannel channel;

  /**
   * A service; connects on the first call.
   *
   * @param provider its name, for metrics
   * @param socket the path of its socket
   * @param timeout the limit of each call
   */
  public GrpcKeyService(String provider, Path socket, Duration timeout, KmsListener listener) {
    this.provider = provider;
    this.timeout = timeout;
    this.listener = listener;
    loop =
        new NioEventLoopGroup(1, new DefaultThreadFactory("kms-" + provider, /* daemon= */ true));
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelFactory(GrpcKeyService::open, UnixDomainSocketAddress.class)
            .eventLoopGroup(loop)
            // a server without this name would refuse the path of the socket as one
            .overrideAuthority("localhost")
            .usePlaintext()
            .directExecutor()
            .build();
  }

  private static NioDomainSocketChannel open() {
    try {
      return new NioDomainSocketChannel(SocketChannel.open(StandardProtocolFamily.UNIX));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MethodDescriptor<Bytes, Bytes> method(String name) {
    return MethodDescriptor.<Bytes, Bytes>newBuilder()
        .setType(MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(BytesMarshaller.INSTANCE)
        .setResponseMarshaller(BytesMarshaller.INSTANCE)
        .build();
  }

  @Override
  public Status status() {
    return read(
        call(STATUS, Bytes.EMPTY),
        in -> {
          String[] fields = {"", "", ""};
          for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag) {
              case 1 << 3 | 2, 2 << 3 | 2, 3 << 3 | 2 ->
                  fields[(tag >>> 3) - 1] = in.readStringRequireUtf8();
              default -> {
                boolean unused = in.skipField(tag);
              }
            }
          }
          return new Status(fields[0], fields[1], fields[2]);
        });
  }

  @Override
  public Encrypted encrypt(String uid, Bytes plaintext) {
    int size = Fields.size(1, plaintext) + CodedOutputStream.computeStringSize(2, uid);
    Bytes request =
        Fields.encode(
            size,
            out -> {
              Fields.write(out, 1, plaintext);
              out.writeString(2, uid);
            });
    return read(
        call(ENCRYPT, request),
        in -> {
          Bytes ciphertext = Bytes.EMPTY;
          String keyId = "";
          Annotations annotations = new Annotations();
          for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag) {
              case 1 << 3 | 2 -> ciphertext = Bytes.wrap(in.readByteArray());
              case 2 << 3 | 2 -> keyId = in.readStringRequireUtf8();
              case 3 << 3 | 2 -> annotations.read(in);
              default -> {
                boolean unused = in.skipField(tag);
              }
            }
          }
          return new Encrypted(ciphertext, keyId, annotations.values());
        });
  }

  @Override
  public Bytes decrypt(String uid, Encrypted encrypted) {
    int size =
        Fields.size(1, encrypted.ciphertext())
            + CodedOutputStream.computeStringSize(2, uid)
            + CodedOutputStream.computeStringSize(3, encrypted.keyId())
            + Annotations.size(4, encrypted.annotations());
    Bytes request =
        Fields.encode(
            size,
            out -> {
              Fields.write(out, 1, encrypted.ciphertext());
              out.writeString(2, uid);
              out.writeString(3, encrypted.keyId());
              Annotations.write(out, 4, encrypted.annotations());
            });
    return read(
        call(DECRYPT, request),
        in -> {
          Bytes plaintext = Bytes.EMPTY;
          for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == (1 << 3 | 2)) {
              plaintext = Bytes.wrap(in.readByteArray());
            } else {
              boolean unused = in.skipField(tag);
            }
          }
          return plaintext;
        });
  }

  /** Decodes a message. */
  @FunctionalInterface
  private interface Decoder<T> {
    T decode(CodedInputStream in) throws IOException;
  }

  private static <T> T read(Bytes message, Decoder<T> decoder) {
    try {
      return decoder.decode(
          CodedInputStream.newInstance(message.backing(), message.offset(), message.length()));
    } catch (IOException e) {
      throw new TransformationException(
          "rpc error: code = Internal desc = grpc: failed to unmarshal the received message: "
              + e.getMessage(),
          "Internal",
          e);
    }
  }

  /** Calls the service; waits for a connection until the time limit, as kube-apiserver does. */
  private Bytes call(MethodDescriptor<Bytes, Bytes> method, Bytes request) {
    long begin = System.nanoTime();
    String status = "OK";
    // a service that has come back is tried at once, not after the pause that grew meanwhile
    channel.resetConnectBackoff();
    CallOptions options =
        CallOptions.DEFAULT
            .withWaitForReady()
            .withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    try {
      return ClientCalls.blockingUnaryCall(channel, method, options, request);
    } catch (StatusRuntimeException e) {
      status = GoStatus.code(e.getStatus().getCode());
      throw new TransformationException(GoStatus.text(e.getStatus()), status, e);
    } finally {
      listener.called(
          provider, "/" + method.getFullMethodName(), status, System.nanoTime() - begin);
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
    Future<?> unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
