package jdiff.runtime.distributed;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.gloo.Device;
import org.jspecify.annotations.Nullable;

/**
 * The network devices that Gloo listens on. GLOO_SOCKET_IFNAME is read by Python's binding, not by the native class, whose own
 * default is whatever the host's name resolves to: 127.0.1.1 on many machines, or nothing.
 *
 * @param interfaces names, comma separated, or null: the address from which the job's store is reached
 */
record GlooDevices(@Nullable String interfaces, String masterAddress, int masterPort) {
    GlooDeviceVector open() {
        GlooDeviceVector devices = new GlooDeviceVector();
        if (interfaces == null) {
            try (Device device = ProcessGroupGloo.createDeviceForHostname(localAddress())) {
                devices.push_back(device);
            }
        } else {
            for (String name : interfaces.split(",", -1)) {
                try (Device device = ProcessGroupGloo.createDeviceForInterface(name.strip())) {
                    devices.push_back(device);
                }
            }
        }
        return devices;
    }

    /** Asks the routing table; nothing is sent. */
    String localAddress() {
        InetSocketAddress master = new InetSocketAddress(masterAddress, masterPort);
        if (master.isUnresolved() || master.getAddress().isLoopbackAddress()) {
            return "127.0.0.1";
        }
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(master);
            InetAddress local = probe.getLocalAddress();
            return local.isAnyLocalAddress() ? "127.0.0.1" : local.getHostAddress();
        } catch (SocketException e) {
            return "127.0.0.1";
        }
    }
}
